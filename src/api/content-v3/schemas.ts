import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Fields, firstValue } from '../../core/document.ts';
import type { SentDocument } from '../../indexing/put-documents.ts';
import { isObject, listOf, mapOf, members, text, within } from '../binding.ts';
import { DOCUMENT_ID, DOCUMENT_KIND, FIELDS } from '../documents/schemas.ts';

const IDENTITY = members({ id: text().optional(), type: DOCUMENT_KIND.optional() });
const OWN_MEMBERS: readonly string[] = ['id', 'type'];

/** A flat object: `Id`, `Type`, and every other member a field. The id is `Id`, else `Url`, else a new UUID. */
const FLAT_DOCUMENT = z.unknown().transform((sent, context): SentDocument => {
  const fields = within(context, FIELDS, isObject(sent) ? withoutOwnMembers(sent) : sent);
  // Of a copy: the other members are fields, which may have any name in a strict request.
  const identity = within(context, IDENTITY, isObject(sent) ? Object.fromEntries(Object.entries(sent)) : {});
  if (fields === undefined || identity === undefined) return z.NEVER;
  if (!identity.id && fields.size === 0) {
    context.issues.push({ code: 'custom', input: sent, message: 'must have an id or a field' });
  }
  const id = within(context, DOCUMENT_ID, idOf(identity.id, fields), ['Id']) ?? z.NEVER;
  return { id, kind: identity.type ?? 'PageContent', fields };
});

/** Contract: 8.4. */
export const FLAT_DOCUMENTS = listOf(FLAT_DOCUMENT);

/** Objects of id → kind, as pairs. Contract: 8.4. */
export const DELETED_DOCUMENTS = listOf(mapOf(DOCUMENT_KIND)).transform((objects) =>
  objects.flatMap((kindsById) => [...kindsById].map(([id, kind]) => ({ id, kind }))),
);

function idOf(sentId: string | undefined, fields: Fields): string {
  return sentId || firstValue(fields, 'Url') || randomUUID();
}

function withoutOwnMembers(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !OWN_MEMBERS.includes(name.toLowerCase())));
}

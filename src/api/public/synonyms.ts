import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LANGUAGE_CODE } from '../../accounts/tool-settings.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { createSynonymGroup, removeSynonymGroups, replaceSynonymGroup } from '../../search-tools/tools.ts';
import type { SynonymGroup, SynonymStore } from '../../storage/system/synonym-groups.ts';
import { bind, formOf, integer, listOf, members, queryPairs, text, textLike, UNTOLD } from '../binding.ts';
import { customerAccess, type GuardDeps } from '../guard.ts';
import { knownId } from '../route-table.ts';
import { refuseByContract } from './search-tools.ts';
import { synonymGroupBody } from './tool-responses.ts';

type SynonymDeps = GuardDeps & { readonly systemStore: SynonymStore };

const PATH = '/api/synonymsgroup';
const MANAGEMENT = { scheme: 'basic', rate: 'management', scope: 'tools' } as const;

const ANY_CASE_CODE = new RegExp(LANGUAGE_CODE, 'i');

/** Synonym groups of a customer. Contract: 10.3. */
export function synonymRoutes(deps: SynonymDeps): FastifyPluginAsync {
  return async (app) => {
    const customer = customerAccess(deps, MANAGEMENT);
    const named = customerAccess(deps, {
      ...MANAGEMENT,
      find: (id, params) => findNamed(deps, id, params['identifier']),
    });
    app.post(PATH, { onRequest: customer.check }, async (request) => {
      const { customerId, actor } = customer.of(request);
      return synonymGroupBody(await createSynonymGroup(deps, { customerId, actor, ...bind(NEW_GROUP, request.body) }));
    });
    app.put(PATH, { onRequest: customer.check }, async (request) => {
      const { customerId, actor } = customer.of(request);
      const { groupId: id, ...group } = bind(CHANGED_GROUP, request.body);
      const present = await deps.systemStore.findSynonymGroup({ customerId, id });
      if (present === undefined) throw new AppError('record.not-found', 'There is no such synonym group');
      return synonymGroupBody(await refuseByContract(replaceSynonymGroup(deps, { present, actor, ...group })));
    });
    app.delete(PATH, { onRequest: customer.check }, async (request) => {
      const { customerId, actor } = customer.of(request);
      const { groupIds } = bind(GROUP_IDS, namedGroups(request) ?? request.body);
      return refuseByContract(removeSynonymGroups(deps, { customerId, ids: groupIds, actor }));
    });
    app.get(`${PATH}/:identifier`, { onRequest: named.check }, async (request) => {
      const { found } = named.of(request);
      if (found === 'neither') throw invalidRequest([NEITHER]);
      return 'id' in found ? synonymGroupBody(found) : found.map(synonymGroupBody);
    });
  };
}

const NEITHER = {
  path: 'identifier',
  message: 'The last part of the path must be the number of a group or a language code like "en"',
};

/** One group, the groups of a language, or neither; undefined when the number names none. */
async function findNamed(
  { systemStore }: SynonymDeps,
  customerId: number,
  identifier = '',
): Promise<SynonymGroup | readonly SynonymGroup[] | 'neither' | undefined> {
  if (ANY_CASE_CODE.test(identifier)) return systemStore.listSynonymGroups(customerId, identifier);
  if (!/^\d+$/.test(identifier)) return 'neither';
  const id = knownId(identifier);
  return id === undefined ? undefined : systemStore.findSynonymGroup({ customerId, id });
}

/** Every `groupIds` of the query string, undefined when there is none. */
function namedGroups(request: FastifyRequest): readonly string[] | undefined {
  const lists = queryPairs(request).filter(([name]) => name.toLowerCase() === 'groupids');
  return lists.length === 0 ? undefined : lists.map(([, list]) => list);
}

const HIGHEST_ID = 2_147_483_647;

const group = {
  words: listOf(text()).refine((words) => words.some((word) => word.trim() !== ''), 'must have at least one word'),
  language: textLike(LANGUAGE_CODE, 'must be a language code like "en" or "en-GB"'),
};

export const NEW_GROUP = members(group);
export const CHANGED_GROUP = members({ ...group, groupId: integer({ min: -HIGHEST_ID, max: HIGHEST_ID }) });

const ID_LIST = { type: 'array', items: { type: 'integer' }, minItems: 1 };

/** One number, a list, or text with commas; repeated parameters come as a list. */
const ids = z
  .unknown()
  .transform((sent, context): readonly number[] => {
    const parts = [sent].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]));
    const numbers = parts.map(idOf);
    if (sent !== undefined && numbers.length > 0 && numbers.every((id) => id !== undefined)) return numbers;
    context.issues.push({ code: 'custom', input: sent, message: 'must name at least one group by its number: 1,2' });
    return z.NEVER;
  })
  .meta({
    anyOf: [ID_LIST, { type: 'integer' }, { type: 'string', pattern: '^\\d{1,10}(,\\d{1,10})*$' }],
  });

/** `groupIds` of a query string or body; a body may also be the list itself. */
const NAMED_GROUPS = members({ groupIds: ids });
export const GROUP_IDS = z
  .preprocess(
    (sent) => (typeof sent === 'string' || Array.isArray(sent) ? { groupIds: sent } : (sent ?? {})),
    NAMED_GROUPS,
  )
  .meta({ ...UNTOLD, anyOf: [formOf(NAMED_GROUPS), ID_LIST] });

function idOf(part: unknown): number | undefined {
  const sent = typeof part === 'string' ? part.trim() : part;
  return integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }).safeParse(sent).data;
}

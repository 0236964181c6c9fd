import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import { SYNONYMS } from '../../../accounts/tool-settings.ts';
import type { Clock } from '../../../core/clock.ts';
import { createSynonymGroup, removeSynonymGroups, replaceSynonymGroup } from '../../../search-tools/tools.ts';
import type { AccountStore } from '../../../storage/system/accounts.ts';
import type { SynonymStore } from '../../../storage/system/synonym-groups.ts';
import { actorOf } from '../access.ts';
import { isMatched, sendTagged } from '../record-tag.ts';
import { idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import { synonymsBody } from './bodies.ts';
import { EDITOR } from './records.ts';

export type SynonymRouteDeps = {
  readonly store: Pick<AccountStore, 'findCustomer'>;
  readonly systemStore: SynonymStore;
  readonly clock: Clock;
};

export const SYNONYM_LIST = z.strictObject({
  ...LIST_QUERY,
  language: z.string().max(20).optional().describe('A language code, in any case.'),
  word: z.string().trim().min(1).max(200).optional().describe('A word of the group, in any case.'),
});

/** Words that mean the same, for all engines of a customer in that language. */
export function adminSynonymRoutes(deps: SynonymRouteDeps): FastifyPluginAsync {
  const { systemStore } = deps;
  const customerOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'customerId');
    return requireRecord('customer', id, await deps.store.findCustomer(id)).id;
  };
  const foundAt = async (request: FastifyRequest) => {
    const customerId = await customerOf(request);
    const id = idOf(request, 'groupId');
    return requireRecord('synonym group', id, await systemStore.findSynonymGroup({ customerId, id }));
  };
  return async (app) => {
    const list = '/customers/:customerId/synonyms';
    app.get(list, EDITOR, async (request) => {
      const customerId = await customerOf(request);
      const { language, word, ...page } = queryOf(SYNONYM_LIST, request);
      const groups = await systemStore.listSynonymGroups(customerId, language);
      const wanted = word?.toLowerCase();
      const isMeant = (words: readonly string[]) => words.some((each) => each.toLowerCase() === wanted);
      return pageOf(wanted === undefined ? groups : groups.filter(({ words }) => isMeant(words)), page, synonymsBody);
    });
    app.post(list, EDITOR, async (request, reply) => {
      const customerId = await customerOf(request);
      const sent = parseStrictly(SYNONYMS, request.body);
      const group = await createSynonymGroup(deps, { customerId, actor: actorOf(request), ...sent });
      reply.code(201);
      return sendTagged(reply, synonymsBody(group));
    });
    app.get(`${list}/:groupId`, EDITOR, async (request, reply) =>
      sendTagged(reply, synonymsBody(await foundAt(request))),
    );
    app.put(`${list}/:groupId`, EDITOR, async (request, reply) => {
      const present = await foundAt(request);
      const matched = isMatched(request, synonymsBody(present));
      const sent = parseStrictly(SYNONYMS, request.body);
      const change = { present, actor: actorOf(request), isMatched: matched, ...sent };
      return sendTagged(reply, synonymsBody(await replaceSynonymGroup(deps, change)));
    });
    app.delete(`${list}/:groupId`, EDITOR, async (request, reply) => {
      const present = await foundAt(request);
      const seen = isMatched(request, synonymsBody(present)) ? present : undefined;
      const { customerId, id } = present;
      await removeSynonymGroups(deps, { customerId, ids: [id], actor: actorOf(request), seen });
      return reply.code(204).send();
    });
  };
}

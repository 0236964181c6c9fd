import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { invalidRequest } from '../../core/errors.ts';
import { createSynonymGroup, removeSynonymGroups, replaceSynonymGroup } from '../../search-tools/synonyms.ts';
import type { SynonymGroup, ToolStore } from '../../storage/tool-store.ts';
import { bind } from '../binding.ts';
import { customerAccess, type GuardDeps } from '../guard.ts';
import { knownId } from '../match-route.ts';
import { queryPairs } from '../query-string.ts';
import { synonymGroupBody } from './responses.ts';
import { CHANGED_GROUP, GROUP_IDS, LANGUAGE_CODE, NEW_GROUP } from './synonym-schemas.ts';

type SynonymDeps = GuardDeps & { readonly systemStore: ToolStore };

const PATH = '/api/synonymsgroup';
const MANAGEMENT = { scheme: 'basic', rate: 'management' } as const;
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
      const { customerId } = customer.of(request);
      return synonymGroupBody(await createSynonymGroup(deps, { customerId, ...bind(NEW_GROUP, request.body) }));
    });
    app.put(PATH, { onRequest: customer.check }, async (request) => {
      const { customerId } = customer.of(request);
      const { groupId: id, ...group } = bind(CHANGED_GROUP, request.body);
      return synonymGroupBody(await replaceSynonymGroup(deps, { customerId, id, ...group }));
    });
    app.delete(PATH, { onRequest: customer.check }, async (request) => {
      const { customerId } = customer.of(request);
      const { groupIds } = bind(GROUP_IDS, namedGroups(request) ?? request.body);
      return removeSynonymGroups(deps, { customerId, ids: groupIds });
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

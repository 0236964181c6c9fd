import type { FastifyRequest } from 'fastify';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Crawler } from '../../core/records.ts';
import type { AccountStore } from '../../storage/account-store.ts';
import { idOf } from './requests.ts';

/** The crawler of the path. @throws AppError `record.not-found` */
export async function crawlerOf(store: Pick<AccountStore, 'findCrawler'>, request: FastifyRequest): Promise<Crawler> {
  const id = idOf(request, 'crawlerId');
  return requireRecord('crawler', id, await store.findCrawler(id));
}

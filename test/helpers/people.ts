import { type AdminAnswer, startAdminApi } from './admin-api.ts';
import { createBrowser } from './admin-browser.ts';

type Api = Awaited<ReturnType<typeof startAdminApi>>;

export const PASSWORD = 'a long walk in the rain';

/** Customers 3 and 4 with an engine each. */
export async function startWithCustomers(
  changes: Parameters<typeof startAdminApi>[2] = {},
  onAdminRoute: Parameters<typeof startAdminApi>[1] = undefined,
): Promise<Api> {
  const api = await startAdminApi(undefined, onAdminRoute, changes);
  for (const [id, engine] of [
    [3, 6],
    [4, 7],
  ]) {
    await api.post('/customers', { id, name: `Customer ${id}` });
    await api.post('/engines', { id: engine, customer: id, name: `Engine ${engine}` });
  }
  return api;
}

/** Invites somebody and takes the link in a browser of its own. */
export async function join(api: Api, email: string, rights: object = { role: 'operator' }) {
  const invited = await api.post('/people', { email, ...rights });
  if (invited.status !== 201) throw new Error(`nobody was invited: ${JSON.stringify(invited.body)}`);
  const browser = createBrowser(api.origin);
  const token = tokenOf(invited);
  const accepted = await browser.post('/invitation/accept', { token, name: 'Somebody', password: PASSWORD });
  if (accepted.status !== 200) throw new Error(`the link was refused: ${JSON.stringify(accepted.body)}`);
  return { browser, id: invited.body.person.id as number, token };
}

export const tokenOf = ({ body }: AdminAnswer): string => (body.link ?? body).path.split('#')[1];

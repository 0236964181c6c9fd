import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';

const MISSING = 'This needs the operator token: Authorization: Bearer <token>';
const WRONG =
  'The token is wrong: the right one is OPERATOR_TOKEN where that is set, else in the file DATA_DIR/operator-token';

test.each<[what: string, header: string | undefined, message: string]>([
  ['no header', undefined, MISSING],
  ['a wrong token', `Bearer ${OPERATOR_TOKEN}x`, WRONG],
  ['a part of the token', `Bearer ${OPERATOR_TOKEN.slice(0, -1)}`, WRONG],
  ['an empty token', 'Bearer ', MISSING],
  ['another scheme', `Digest ${OPERATOR_TOKEN}`, MISSING],
  ['the token as an API key', `Basic ${OPERATOR_TOKEN}`, expect.stringContaining('The API key is wrong')],
  ['two tokens', `Bearer ${OPERATOR_TOKEN} ${OPERATOR_TOKEN}`, MISSING],
])('%s is 401, before the body is looked at', async (_what, header, message) => {
  await using api = await startAdminApi();

  const answer = await fetch(`${api.origin}/admin/v1/customers`, {
    method: 'POST',
    headers: header === undefined ? {} : { authorization: header },
    body: 'no json',
  });

  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="operator"']);
  expect(await answer.json()).toMatchObject({ code: 401, status: 'Unauthorized', message });
});

test('the scheme may be written in any case, and answers are not kept by caches', async () => {
  await using api = await startAdminApi();

  const answer = await fetch(`${api.origin}/admin/v1/customers`, {
    headers: { authorization: `bearer ${OPERATOR_TOKEN}` },
  });

  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await answer.json()).toEqual({ items: [], next: null });
});

test('what lies beside the routes is 404', async () => {
  await using api = await startAdminApi();

  expect(await api.get('/nothing')).toMatchObject({ status: 404, body: { code: 404 } });
  expect(await api.get('/customers/0')).toMatchObject({ status: 404 });
  expect(await api.get('/customers/99999999999')).toMatchObject({ status: 404 });
});

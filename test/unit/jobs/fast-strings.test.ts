import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { connectProducer, restoreFastStrings } from '../../../src/jobs/connection.ts';
import { silentLog } from '../../helpers/silent-log.ts';

setFlagsFromString('--allow-natives-syntax');
const stringsAreFast = (): boolean => runInThisContext('%HasFastProperties(String.prototype)');

/** What a class that extends `String` may do, done for certain: a member that goes before a later one does. */
function slowStringsDown(): void {
  for (const name of ['first', 'second'])
    Object.defineProperty(String.prototype, name, { configurable: true, value: name });
  for (const name of ['first', 'second']) Reflect.deleteProperty(String.prototype, name);
}

// How long strings stay slow is up to the engine: code that is compiled meanwhile may make them fast again.
test('strings that were slow have their fast methods back', () => {
  slowStringsDown();

  restoreFastStrings();

  expect(stringsAreFast()).toBe(true);
});

test('strings have their fast methods in a process that is connected to Redis', () => {
  class Text extends String {}

  connectProducer('unix:///nowhere/redis.sock', silentLog).disconnect();

  expect({ fast: stringsAreFast(), made: Text.name }).toEqual({ fast: true, made: 'Text' });
});

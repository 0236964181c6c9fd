import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { connectProducer } from '../../../src/jobs/connection.ts';
import { restoreFastStrings } from '../../../src/jobs/fast-strings.ts';
import { silentLog } from '../../helpers/silent-log.ts';

setFlagsFromString('--allow-natives-syntax');
const stringsAreFast = (): boolean => runInThisContext('%HasFastProperties(String.prototype)');

test('strings keep their fast methods beside a class that extends String', () => {
  class Text extends String {}
  const before = stringsAreFast();

  restoreFastStrings();

  expect({ before, after: stringsAreFast(), made: Text.name }).toEqual({ before: false, after: true, made: 'Text' });
});

test('strings have their fast methods in a process that is connected to Redis', () => {
  class Text extends String {}

  connectProducer('unix:///nowhere/redis.sock', silentLog).disconnect();

  expect({ fast: stringsAreFast(), made: Text.name }).toEqual({ fast: true, made: 'Text' });
});

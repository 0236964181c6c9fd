/** Makes one read of those that are asked for in the same turn of the thread; `read` answers by place. */
export function gatherReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value | undefined> {
  let asked: Key[] = [];
  let reading: Promise<readonly Value[]> | undefined;
  const readAsked = async () => {
    await Promise.resolve();
    const keys = asked;
    asked = [];
    reading = undefined;
    return read(keys);
  };
  return async (key) => {
    const place = asked.push(key) - 1;
    reading ??= readAsked();
    return (await reading)[place];
  };
}

/** Numbers of 32 bits by numbers of 32 bits. A `Map` allocates one for each key that it is asked for. */
export type HashTable = {
  get(key: number): number | undefined;
  /** Replaces nothing: a key is set once. */
  set(key: number, value: number): void;
  /** Holds as many as it was made for. */
  isFull(): boolean;
};

const FIRST_SLOTS = 4_096;

/** Keys must be hashes already: they are looked for at their low bits. Takes 16 to 32 bytes a key. O(1). */
export function createHashTable(maxKeys: number): HashTable {
  let keys = new Uint32Array(FIRST_SLOTS);
  let values = new Uint32Array(FIRST_SLOTS);
  let size = 0;

  /** Slot of a key, or the free one where it belongs. */
  const slotOf = (key: number): number => {
    const mask = keys.length - 1;
    let slot = key & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };

  const grow = () => {
    const [oldKeys, oldValues] = [keys, values];
    keys = new Uint32Array(2 * oldKeys.length);
    values = new Uint32Array(2 * oldKeys.length);
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i]!;
      if (key === 0) continue;
      const slot = slotOf(key);
      keys[slot] = key;
      values[slot] = oldValues[i]!;
    }
  };

  return {
    get(key) {
      const slot = slotOf(key || ZERO);
      return keys[slot] === 0 ? undefined : values[slot];
    },
    set(key, value) {
      if (2 * size >= keys.length) grow();
      const slot = slotOf(key || ZERO);
      keys[slot] = key || ZERO;
      values[slot] = value;
      size++;
    },
    isFull: () => size >= maxKeys,
  };
}

/** Stands for the key 0, which marks free slots. */
const ZERO = 1;

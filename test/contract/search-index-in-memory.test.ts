import { createInMemoryIndex } from '../helpers/in-memory-index/in-memory-index.ts';
import { describeSearchIndex } from './search-index-suite.ts';

const open = async () => {
  const index = createInMemoryIndex();
  return { engineId: 6, index, writer: index.writer(6), [Symbol.asyncDispose]: () => index[Symbol.asyncDispose]() };
};

describeSearchIndex('in memory', open, { keepsFiles: false });

import { pino } from 'pino';
import { describe } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import type { IndexSource } from '../../src/search-index/index-writer.ts';
import type { IndexUnderTest } from '../helpers/search-index-harness.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describeCounting } from './search-index-counting-suite.ts';
import { describeReading } from './search-index-reading-suite.ts';
import { describeSearchIndex } from './search-index-suite.ts';

const log = pino({ level: 'silent' });

/** `inlineNs` 0 sends every search to a thread. */
function openWith({ threads, inlineNs }: { threads: number; inlineNs: number }) {
  return async (source: IndexSource): Promise<IndexUnderTest> => {
    const folder = await temporaryFolder();
    const openAt = async (): Promise<IndexUnderTest> => {
      const index = openEmbeddedIndex({
        threads,
        inlineNs,
        log,
        clock: systemClock,
        directoryOf: (engineId) => `${folder.path}/${engineId}/index`,
        readDocuments: (_engineId, rids) => source.readDocuments(rids),
      });
      const writer = await openEmbeddedWriter({
        directory: `${folder.path}/6/index`,
        source,
        language: 'en',
        clock: systemClock,
        log,
      });
      return {
        engineId: 6,
        index,
        writer,
        async [Symbol.asyncDispose]() {
          await index[Symbol.asyncDispose]();
          await writer[Symbol.asyncDispose]();
          await folder[Symbol.asyncDispose]();
        },
        reopen: openAt,
      };
    };
    return openAt();
  };
}

describeSearchIndex('embedded', openWith({ threads: 0, inlineNs: 0 }), { keepsFiles: true });

// The same code answers on a thread (test/unit/search-index/oracle.test.ts compares them); these cross the border.
describe('embedded on a thread: counting', () => describeCounting(openWith({ threads: 1, inlineNs: 0 })));
describe('embedded on a thread: generations and limits', () => describeReading(openWith({ threads: 1, inlineNs: 0 })));

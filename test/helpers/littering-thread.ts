import { returnMemoryWhenIdle } from '../../src/observability/idle-memory.ts';

/** Entry of a thread that leaves some 80 MB of garbage behind, and rests then. */

const litter = Array.from({ length: 1_000_000 }, (_, i) => ({ text: `litter ${i}` }));
litter.length = 0;
returnMemoryWhenIdle(100);
setInterval(() => {}, 60_000);

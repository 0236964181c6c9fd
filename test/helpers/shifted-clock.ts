/** Loaded with `--import` into every process of a product: its wall clock is that far ahead. */
const aheadMs = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0);
const now = Date.now.bind(Date);
Date.now = () => now() + aheadMs;

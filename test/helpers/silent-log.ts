import { createLogger } from '../../src/observability/logger.ts';

/** A logger that says nothing. */
export const silentLog = createLogger({ level: 'silent', name: 'test' });

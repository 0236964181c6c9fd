import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { runProcesses, startProcesses } from '../helpers/processes.ts';
import { runScript } from '../helpers/run-script.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
const SAMPLE_PAGES = 60;

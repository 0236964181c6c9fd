import { about, indexPrefix, SECRET, text, urls, whole } from './values.ts';

const AREA = 'Stores';
const MOST_SHARDS = 64;
const MOST_REPLICAS = 5;

/** Where the index lies when it is not in `DATA_DIR`. */
export const INDEX_VARIABLES = {
  OPENSEARCH_URL: about(
    urls(['http', 'https']).optional(),
    AREA,
    'OpenSearch servers that hold the index, between commas, with basic credentials if need be: docs/scaling.md',
    { ...SECRET, shownDefault: 'the index lies in `DATA_DIR`' },
  ),
  OPENSEARCH_API_KEY: about(text().optional(), AREA, 'API key that is sent to the servers', {
    ...SECRET,
    shownDefault: 'none',
  }),
  OPENSEARCH_CA_FILE: about(text().optional(), AREA, 'Certificate authority (PEM) of the servers', {
    shownDefault: 'those of Node',
  }),
  OPENSEARCH_INDEX_PREFIX: about(indexPrefix().default('fossick'), AREA, 'Begins the names of all indexes there'),
  OPENSEARCH_SHARDS: about(
    whole(1, MOST_SHARDS).default(1),
    AREA,
    'Parts of the index of an engine; a change counts for indexes that are made from then on',
  ),
  OPENSEARCH_REPLICAS: about(
    whole(0, MOST_REPLICAS).default(1),
    AREA,
    'Copies of each part on other servers; a change counts for indexes that are made from then on',
  ),
} as const;

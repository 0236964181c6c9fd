import { readDate } from './dates.ts';
import { type DataItem, isOfType, type JsonValue, membersAt, textAt } from './structured-data.ts';

type Data = Readonly<Record<string, JsonValue>>;

const EVENT = /Event$/;
const PLACE = /^(?:LocalBusiness|Place|Restaurant|Hotel|Store|TouristAttraction|CivicStructure|Museum|Library)$/;
/** Events lie ahead. */
const ANY_TIME = Number.MAX_SAFE_INTEGER / 2;

/** When and where, of the page's one event or place. */
export function placeFields(items: readonly DataItem[]): ReadonlyMap<string, string> {
  const event = onlyItem(items, EVENT);
  const place = event === undefined ? onlyItem(items, PLACE) : (membersAt(event, 'location')[0] ?? event);
  const entries: readonly (readonly [string, string])[] = [
    ['Start_date', readDate(textAt(event, 'startDate'), ANY_TIME)],
    ['End_date', readDate(textAt(event, 'endDate'), ANY_TIME)],
    ['Location', locationOf(event, place)],
    ['Location_geo_point', geoPointOf(place)],
  ];
  return new Map(entries.filter(([, value]) => value !== ''));
}

function onlyItem(items: readonly DataItem[], type: RegExp): Data | undefined {
  const found = items.filter((item) => !item.isListed && isOfType(item, type));
  return found.length === 1 ? found[0]?.data : undefined;
}

/** Name and address, or the text that stands for both. */
function locationOf(event: Data | undefined, place: Data | undefined): string {
  const members = ['streetAddress', 'postalCode', 'addressLocality', 'addressCountry'];
  const address =
    textAt(place, 'address') ||
    members
      .map((name) => textAt(place, `address.${name}`))
      .filter(Boolean)
      .join(', ');
  const name = place === event ? textAt(event, 'location') : textAt(place, 'name');
  return [name, address].filter((text) => text !== '').join(', ');
}

function geoPointOf(place: Data | undefined): string {
  const [latitude, longitude] = ['latitude', 'longitude'].map(
    (name) => textAt(place, `geo.${name}`) || textAt(place, name),
  );
  if (!latitude || !longitude) return '';
  const isPoint = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
  return isPoint ? `${Number(latitude)},${Number(longitude)}` : '';
}

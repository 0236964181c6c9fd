/** Drawn for a square of 24; `turns`: points along the line of text. */
const ICONS = {
  home: ['M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z'],
  sites: [
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
    'M3.5 12h17',
    'M12 3c2.5 2.6 3.6 5.6 3.6 9s-1.1 6.4-3.6 9c-2.5-2.6-3.6-5.6-3.6-9S9.5 5.6 12 3z',
  ],
  tools: ['M4 7h9', 'M17 7h3', 'M15 5v4', 'M4 17h3', 'M11 17h9', 'M9 15v4', 'M4 12h13', 'M19 10v4'],
  visitors: ['M4 20V10', 'M10 20V4', 'M16 20v-8', 'M21 20H3'],
  documents: ['M6 3h8l4 4v14H6z', 'M14 3v4h4', 'M9 12h6', 'M9 16h6'],
  why: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z', 'M9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.7.4-1.1.9-1.1 1.7', 'M12 16.8v.1'],
  embed: ['m8 7-5 5 5 5', 'm16 7 5 5-5 5', 'm13.5 5-3 14'],
  system: ['M4 4h16v7H4z', 'M4 13h16v7H4z', 'M8 7.5h.1', 'M8 16.5h.1', 'M12 7.5h4', 'M12 16.5h4'],
  search: ['M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'm15.5 15.5 5 5'],
  menu: ['M4 7h16', 'M4 12h16', 'M4 17h16'],
  plus: ['M12 5v14', 'M5 12h14'],
  close: ['M6 6l12 12', 'M18 6 6 18'],
  copy: ['M9 9h11v11H9z', 'M15 9V4H4v11h5'],
  check: ['m5 12.5 4.5 4.5L19 7.5'],
  alert: ['M12 4 2.5 20h19z', 'M12 10v4.5', 'M12 17.2v.1'],
  next: ['m9 5 7 7-7 7'],
  previous: ['m15 5-7 7 7 7'],
  leave: ['M14 4h5a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-5', 'M4 12h11', 'm11 8 4 4-4 4'],
  play: ['M7 5v14l11-7z'],
  pause: ['M8 5v14', 'M16 5v14'],
  stop: ['M6 6h12v12H6z'],
  up: ['m6 14 6-6 6 6'],
  down: ['m6 10 6 6 6-6'],
  save: ['M12 4v11', 'm7 10.5 5 5 5-5', 'M4 20h16'],
  outside: ['M13 5h6v6', 'M19 5l-8 8', 'M17 14v5H5V7h5'],
} as const;

export type IconName = keyof typeof ICONS;

const TURNING: ReadonlySet<IconName> = new Set(['next', 'previous', 'leave', 'outside', 'play']);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={TURNING.has(name) ? 'icon turns' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

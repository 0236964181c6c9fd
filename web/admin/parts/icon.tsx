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
  pin: ['M9 4h6l-1 6 3 3v2H7v-2l3-3z', 'M12 15v6'],
  hide: [
    'M4 4l16 16',
    'M10.6 6.2A9.6 9.6 0 0 1 12 6c5 0 8.3 4.2 9.5 6a17 17 0 0 1-2.6 3.1',
    'M6.8 7.4A16 16 0 0 0 2.5 12c1.2 1.8 4.5 6 9.5 6a9.4 9.4 0 0 0 4.3-1',
  ],
  show: [
    'M2.5 12C3.7 10.2 7 6 12 6s8.3 4.2 9.5 6c-1.2 1.8-4.5 6-9.5 6s-8.3-4.2-9.5-6z',
    'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  ],
  ban: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z', 'M5.8 5.8l12.4 12.4'],
  more: ['M5 12h.1', 'M12 12h.1', 'M19 12h.1'],
  undo: ['M8 5 4 9l4 4', 'M4 9h10a5.5 5.5 0 0 1 0 11h-3'],
  edit: ['M4 20h4L19 9l-4-4L4 16z', 'm13 7 4 4'],
  remove: ['M4 7h16', 'M9 7V4h6v3', 'm6 7 1 13h10l1-13', 'M10 11v5', 'M14 11v5'],
  banner: ['M3 6h18v8H3z', 'M7 18h10', 'M6.5 10h7'],
  link: ['M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1', 'M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1'],
  synonym: ['M4 8h13', 'm14 5 3 3-3 3', 'M20 16H7', 'm10 13-3 3 3 3'],
  keyboard: ['M3 6h18v12H3z', 'M7 10h.1', 'M11 10h.1', 'M15 10h.1', 'M8 14h8'],
  download: ['M12 4v11', 'm7.5 11 4.5 4.5 4.5-4.5', 'M5 20h14'],
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

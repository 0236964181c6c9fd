import type { Money } from './locales.ts';

/** An amount as a shop shows it: `1.299,90 €`, `₹1,29,900.00`, `CHF 129.–`. */
export function shownAmount(amount: number, money: Money): string {
  const number = shownNumberOf(amount, money);
  return money.place === 'before' ? `${money.sign}${money.gap}${number}` : `${number}${money.gap}${money.sign}`;
}

function shownNumberOf(amount: number, { group, decimal, round, decimals }: Money): string {
  const [whole = '', fraction = ''] = amount.toFixed(decimals).split('.');
  const grouped = group === 'lakh' ? groupedAsLakh(whole) : whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  if (round !== '' && Number(fraction) === 0) return `${grouped}${round}`;
  return fraction === '' ? grouped : `${grouped}${decimal}${fraction}`;
}

function groupedAsLakh(whole: string): string {
  const rest = whole.slice(0, -3).replace(/\B(?=(?:\d{2})+$)/g, ',');
  return rest === '' ? whole : `${rest},${whole.slice(-3)}`;
}

/** How programs of shops write amounts into data: as JSON numbers, or as texts of some decimals. */
export const AMOUNT_FORMS = [
  'number',
  'places',
  'four places',
  'three places',
  'shortest',
  'comma',
  'grouped',
] as const;
export type AmountForm = (typeof AMOUNT_FORMS)[number];

export function statedAmount(amount: number, form: AmountForm, decimals: number): string | number {
  switch (form) {
    case 'number':
      return amount;
    case 'places':
      return amount.toFixed(decimals);
    case 'four places':
      return amount.toFixed(4);
    case 'three places':
      return amount.toFixed(3);
    case 'shortest':
      return String(amount);
    case 'comma':
      return amount.toFixed(2).replace('.', ',');
    case 'grouped':
      return amount.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',');
  }
}

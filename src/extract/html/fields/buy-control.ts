import { foldText, type PageElement, textOf } from '../page-tree.ts';

/** What buttons say that put the thing of the page into a cart, or buy it at once. */
const BUY = new RegExp(
  `^(?:${[
    'add (?:item )?to (?:my |your |shopping |the )?(?:cart|bag|basket|trolley)|buy(?: it)?(?: now)?|order now|purchase',
    '(?:in den|zum) (?:warenkorb|einkaufswagen)(?: legen| hinzufügen)?|(?:jetzt )?(?:kaufen|bestellen)',
    'ajouter au panier|acheter(?: maintenant)?|commander',
    '(?:añadir|agregar)(?: al carrito| a la cesta| a la bolsa)|comprar(?: ahora| agora| já)?',
    'adicionar (?:ao carrinho|à sacola|ao cesto)|aggiungi al carrello|(?:acquista|compra)(?: ora| subito)?',
    'afegeix a (?:la cistella|al carret)|(?:toevoegen aan |in (?:de )?)winkel(?:wagen|mand|mandje|tas)',
    '(?:koop nu|nu kopen|bestellen)|(?:læg i|tilføj til) (?:kurv|kurven|indkøbskurv|indkøbskurven)|køb(?: nu)?',
    'lägg i (?:varukorg|varukorgen|kundvagn|kundvagnen)|köp(?: nu)?|legg i (?:handlekurv|handlekurven|handlevogn)|kjøp(?: nå)?',
    'lisää (?:ostos)?koriin|osta(?: nyt)?|(?:dodaj )?do koszyka|kup(?: teraz)?',
    '(?:přidat |vložit |pridať |vložiť )?do koš(?:íku|íka|e)|koupit|kúpiť|kosárba(?: teszem| tesz)?|megveszem|megvásárlom',
    'adaug[ăa] [iî]n co[șsş]|cumpăr[ăa](?: acum)?|sepete ekle|(?:hemen )?(?:satın )?al|dodaj u košaricu|v košarico',
    '(?:добавить )?в корзину|купить(?: сейчас)?|(?:додати )?(?:до|у) кошика?|купити|добави в количката|купи',
    '(?:προσθήκη )?στο καλάθι|αγορά',
    '(?:カート|かご|買い物かご)に(?:入れる|追加)(?:する)?|今すぐ(?:購入|買う)(?:する)?|購入する',
    '(?:加入|放入)(?:购物车|購物車)|立即(?:购买|購買)|장바구니(?:에)? ?(?:담기|추가|넣기)|(?:바로 ?)?구매하기',
    'أضف إلى (?:السلة|سلة التسوق|عربة التسوق)|اشتر(?:ي)? الآن|(?:הוסף|הוספה) לסל|קנה עכשיו',
  ].join('|')})$`,
  'iu',
);
const MAX_LABEL_CHARS = 60;
const BUTTON_TYPE = /^(?:submit|button|image)$/i;
/** Behind the words: a sign, or the price once more. */
const TAIL = /[\s:.!›»→>|–—-]+(?:[^\p{L}]{0,20}|\p{Sc}.{0,12}|\d.{0,12})$/u;

/** Is this a button or link that buys the thing of the page? */
export function isBuyControl(element: PageElement): boolean {
  const label = labelOf(element);
  return label !== undefined && (BUY.test(label) || BUY.test(label.replace(TAIL, '')));
}

/** Undefined of what nobody clicks. */
function labelOf(element: PageElement): string | undefined {
  const { name, attributes } = element;
  const type = attributes['type'] ?? '';
  if (name === 'input')
    return BUTTON_TYPE.test(type) ? foldText(attributes['value'] ?? attributes['alt'] ?? '') : undefined;
  if (name !== 'button' && name !== 'a' && attributes['role'] !== 'button') return undefined;
  const text = textOf(element, MAX_LABEL_CHARS) || foldText(attributes['aria-label'] ?? attributes['title'] ?? '');
  return text.length > MAX_LABEL_CHARS ? undefined : text;
}

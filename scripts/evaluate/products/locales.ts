/** How a shop of a country writes amounts of money. */
export type Money = {
  /** ISO 4217. */
  readonly currency: string;
  readonly sign: string;
  readonly place: 'before' | 'behind';
  /** Between sign and number. */
  readonly gap: '' | ' ' | '\u00a0';
  readonly group: '' | ',' | '.' | ' ' | '\u00a0' | '\u202f' | '’' | "'" | 'lakh';
  readonly decimal: '.' | ',';
  /** What stands in place of no cents. */
  readonly round: '' | ',-' | '.–' | '.-';
  readonly decimals: 0 | 2 | 3;
};

/** The words of a shop in its language. */
export type Locale = {
  /** As `html lang` has it. */
  readonly code: string;
  readonly money: readonly Money[];
  readonly home: string;
  readonly shopWords: readonly string[];
  readonly buy: string;
  readonly was: string;
  readonly now: string;
  readonly tax: string;
  readonly inStock: string;
  readonly soldOut: string;
  readonly related: string;
  readonly reviews: string;
  readonly details: string;
  readonly things: readonly string[];
  readonly sentences: readonly string[];
};

const money = (
  currency: string,
  sign: string,
  place: Money['place'],
  gap: Money['gap'],
  marks: Pick<Money, 'group' | 'decimal'> & Partial<Money>,
): Money => ({ currency, sign, place, gap, round: '', decimals: 2, ...marks });

const POINT = { group: ',', decimal: '.' } as const;
const COMMA = { group: '.', decimal: ',' } as const;
const words = (text: string) => text.split('|');

export const LOCALES: readonly Locale[] = [
  {
    code: 'en-US',
    money: [money('USD', '$', 'before', '', POINT), money('USD', 'USD', 'behind', ' ', POINT)],
    home: 'Home',
    shopWords: words('New in|Kitchen|Garden|Sale|Gift cards|Stores|Contact us|Shipping|Returns|Privacy policy'),
    buy: 'Add to cart',
    was: 'Regular price',
    now: 'Sale price',
    tax: 'Tax included. Shipping calculated at checkout.',
    inStock: 'In stock',
    soldOut: 'Sold out',
    related: 'You may also like',
    reviews: 'Customer reviews',
    details: 'Description',
    things: words('Kettle|Lantern|Rain jacket|Teapot|Bread knife|Wool blanket|Garden chair|Desk lamp'),
    sentences: words(
      'The body is drawn from one sheet of steel and stays cool at the handle.|It holds enough water for six cups and pours without a drip.|Every piece is polished by hand and checked twice before it leaves us.|Wipe it with a damp cloth and let it dry in the air.|Spare parts are kept for twelve years, so that nothing has to be thrown away.',
    ),
  },
  {
    code: 'en-GB',
    money: [money('GBP', '£', 'before', '', POINT), money('EUR', '€', 'before', '', POINT)],
    home: 'Home',
    shopWords: words('Bestsellers|Bedroom|Outdoor|Clearance|Our story|Find a shop|Help|Delivery|Cookies|Terms'),
    buy: 'Add to basket',
    was: 'Was',
    now: 'Now',
    tax: 'incl. VAT',
    inStock: 'In stock',
    soldOut: 'Out of stock',
    related: 'Related products',
    reviews: 'Reviews',
    details: 'Details',
    things: words('Cafetiere|Walking boots|Picnic basket|Oak stool|Storm lamp|Linen apron|Copper pan|Door mat'),
    sentences: words(
      'Woven on a loom from the north that is older than the house it stands in.|The sole is stitched, not glued, and can be renewed by any cobbler.|It has been through two winters with us without a tear.|Pockets on both sides are deep enough for a map.|Please wash at thirty degrees and do not tumble dry.',
    ),
  },
  {
    code: 'de-DE',
    money: [
      money('EUR', '€', 'behind', '\u00a0', COMMA),
      money('EUR', 'EUR', 'before', ' ', { ...COMMA, round: ',-' }),
      money('CHF', 'CHF', 'before', ' ', { group: '’', decimal: '.', round: '.–' }),
    ],
    home: 'Startseite',
    shopWords: words('Neuheiten|Küche|Garten|Angebote|Gutscheine|Filialen|Kontakt|Versand|Widerruf|Impressum'),
    buy: 'In den Warenkorb',
    was: 'UVP',
    now: 'Jetzt nur',
    tax: 'inkl. MwSt. zzgl. Versandkosten',
    inStock: 'Sofort lieferbar',
    soldOut: 'Ausverkauft',
    related: 'Ähnliche Artikel',
    reviews: 'Bewertungen',
    details: 'Beschreibung',
    things: words('Wasserkessel|Gartenstuhl|Brotmesser|Regenjacke|Stehlampe|Wolldecke|Teekanne|Werkbank'),
    sentences: words(
      'Der Kessel ist aus einem Stück Edelstahl gezogen und bleibt am Griff kühl.|Er fasst Wasser für sechs Tassen und tropft nicht beim Gießen.|Jedes Stück wird von Hand poliert und zweimal geprüft.|Mit einem feuchten Tuch abwischen und an der Luft trocknen lassen.|Ersatzteile halten wir zwölf Jahre lang bereit.',
    ),
  },
  {
    code: 'fr-FR',
    money: [
      money('EUR', '€', 'behind', '\u00a0', { group: '\u202f', decimal: ',' }),
      money('EUR', '€', 'behind', ' ', { group: ' ', decimal: ',' }),
    ],
    home: 'Accueil',
    shopWords: words('Nouveautés|Cuisine|Jardin|Promotions|Cartes cadeaux|Magasins|Contact|Livraison|Retours|CGV'),
    buy: 'Ajouter au panier',
    was: 'Prix de base',
    now: 'Prix',
    tax: 'TTC',
    inStock: 'En stock',
    soldOut: 'Rupture de stock',
    related: 'Vous aimerez aussi',
    reviews: 'Avis des clients',
    details: 'Description',
    things: words('Bouilloire|Chaise de jardin|Couteau à pain|Veste de pluie|Lampe de bureau|Plaid|Théière|Tabouret'),
    sentences: words(
      'Le corps est embouti dans une seule feuille d’acier et la poignée reste froide.|Elle contient assez d’eau pour six tasses et verse sans goutter.|Chaque pièce est polie à la main et contrôlée deux fois.|Essuyer avec un chiffon humide et laisser sécher à l’air.|Les pièces de rechange sont gardées pendant douze ans.',
    ),
  },
  {
    code: 'es-ES',
    money: [money('EUR', '€', 'behind', ' ', COMMA), money('EUR', '€', 'behind', '', COMMA)],
    home: 'Inicio',
    shopWords: words(
      'Novedades|Cocina|Jardín|Ofertas|Tarjetas regalo|Tiendas|Contacto|Envíos|Devoluciones|Aviso legal',
    ),
    buy: 'Añadir al carrito',
    was: 'Antes',
    now: 'Ahora',
    tax: 'IVA incluido',
    inStock: 'En stock',
    soldOut: 'Agotado',
    related: 'Productos relacionados',
    reviews: 'Opiniones',
    details: 'Descripción',
    things: words('Hervidor|Silla de jardín|Cuchillo de pan|Chubasquero|Lámpara de mesa|Manta de lana|Tetera|Taburete'),
    sentences: words(
      'El cuerpo está hecho de una sola hoja de acero y el asa no se calienta.|Tiene agua para seis tazas y no gotea al servir.|Cada pieza se pule a mano y se revisa dos veces.|Limpiar con un paño húmedo y dejar secar al aire.|Guardamos recambios durante doce años.',
    ),
  },
  {
    code: 'it-IT',
    money: [money('EUR', '€', 'before', ' ', COMMA), money('EUR', '€', 'behind', '\u00a0', COMMA)],
    home: 'Home',
    shopWords: words('Novità|Cucina|Giardino|Offerte|Buoni regalo|Negozi|Contatti|Spedizioni|Resi|Privacy'),
    buy: 'Aggiungi al carrello',
    was: 'Prezzo di listino',
    now: 'Prezzo',
    tax: 'IVA inclusa',
    inStock: 'Disponibile',
    soldOut: 'Esaurito',
    related: 'Prodotti correlati',
    reviews: 'Recensioni',
    details: 'Descrizione',
    things: words('Bollitore|Sedia da giardino|Coltello da pane|Giacca|Lampada|Coperta di lana|Teiera|Sgabello'),
    sentences: words(
      'Il corpo è ricavato da un solo foglio di acciaio e il manico resta freddo.|Contiene acqua per sei tazze e versa senza gocciolare.|Ogni pezzo è lucidato a mano e controllato due volte.|Pulire con un panno umido e lasciare asciugare.|Teniamo i ricambi per dodici anni.',
    ),
  },
  {
    code: 'nl-NL',
    money: [money('EUR', '€', 'before', ' ', { ...COMMA, round: ',-' }), money('EUR', '€', 'before', '\u00a0', COMMA)],
    home: 'Home',
    shopWords: words('Nieuw|Keuken|Tuin|Aanbiedingen|Cadeaubonnen|Winkels|Contact|Verzending|Retourneren|Voorwaarden'),
    buy: 'In winkelwagen',
    was: 'Adviesprijs',
    now: 'Nu',
    tax: 'incl. btw',
    inStock: 'Op voorraad',
    soldOut: 'Uitverkocht',
    related: 'Bekijk ook',
    reviews: 'Beoordelingen',
    details: 'Omschrijving',
    things: words('Waterkoker|Tuinstoel|Broodmes|Regenjas|Bureaulamp|Wollen deken|Theepot|Kruk'),
    sentences: words(
      'De ketel is uit één plaat staal getrokken en het handvat blijft koel.|Er past water voor zes koppen in en hij schenkt zonder te druppelen.|Elk stuk wordt met de hand gepolijst en twee keer nagekeken.|Afnemen met een vochtige doek en laten drogen.|Onderdelen bewaren we twaalf jaar.',
    ),
  },
  {
    code: 'sv-SE',
    money: [money('SEK', 'kr', 'behind', ' ', { group: ' ', decimal: ',', decimals: 0 })],
    home: 'Hem',
    shopWords: words('Nyheter|Kök|Trädgård|Rea|Presentkort|Butiker|Kontakt|Frakt|Retur|Villkor'),
    buy: 'Lägg i varukorg',
    was: 'Ord. pris',
    now: 'Nu',
    tax: 'inkl. moms',
    inStock: 'I lager',
    soldOut: 'Slut i lager',
    related: 'Liknande produkter',
    reviews: 'Omdömen',
    details: 'Beskrivning',
    things: words('Vattenkokare|Trädgårdsstol|Brödkniv|Regnjacka|Skrivbordslampa|Ullfilt|Tekanna|Pall'),
    sentences: words(
      'Kitteln är dragen ur en enda plåt och handtaget håller sig svalt.|Den rymmer vatten till sex koppar och häller utan att droppa.|Varje del poleras för hand och kontrolleras två gånger.|Torka av med en fuktig trasa och låt torka.|Reservdelar finns i tolv år.',
    ),
  },
  {
    code: 'pl-PL',
    money: [money('PLN', 'zł', 'behind', ' ', { group: ' ', decimal: ',' })],
    home: 'Strona główna',
    shopWords: words('Nowości|Kuchnia|Ogród|Wyprzedaż|Karty podarunkowe|Sklepy|Kontakt|Dostawa|Zwroty|Regulamin'),
    buy: 'Do koszyka',
    was: 'Cena regularna',
    now: 'Cena',
    tax: 'brutto',
    inStock: 'Dostępny',
    soldOut: 'Niedostępny',
    related: 'Podobne produkty',
    reviews: 'Opinie',
    details: 'Opis',
    things: words('Czajnik|Krzesło ogrodowe|Nóż do chleba|Kurtka|Lampka biurkowa|Koc wełniany|Imbryk|Stołek'),
    sentences: words(
      'Korpus powstaje z jednego arkusza stali, a uchwyt pozostaje chłodny.|Mieści wodę na sześć filiżanek i nie kapie przy nalewaniu.|Każdą sztukę polerujemy ręcznie i sprawdzamy dwa razy.|Przetrzeć wilgotną szmatką i zostawić do wyschnięcia.|Części zamienne trzymamy przez dwanaście lat.',
    ),
  },
  {
    code: 'cs-CZ',
    money: [money('CZK', 'Kč', 'behind', '\u00a0', { group: '\u00a0', decimal: ',', decimals: 0 })],
    home: 'Domů',
    shopWords: words(
      'Novinky|Kuchyně|Zahrada|Výprodej|Poukazy|Prodejny|Kontakt|Doprava|Vrácení zboží|Obchodní podmínky',
    ),
    buy: 'Do košíku',
    was: 'Původní cena',
    now: 'Cena',
    tax: 'včetně DPH',
    inStock: 'Skladem',
    soldOut: 'Vyprodáno',
    related: 'Podobné zboží',
    reviews: 'Hodnocení',
    details: 'Popis',
    things: words('Konvice|Zahradní židle|Nůž na chléb|Bunda do deště|Stolní lampa|Vlněná deka|Čajník|Stolička'),
    sentences: words(
      'Tělo je taženo z jednoho plechu a držadlo zůstává chladné.|Pojme vodu na šest šálků a při nalévání nekape.|Každý kus leštíme ručně a dvakrát kontrolujeme.|Otřete vlhkým hadříkem a nechte uschnout.|Náhradní díly držíme dvanáct let.',
    ),
  },
  {
    code: 'pt-BR',
    money: [money('BRL', 'R$', 'before', ' ', COMMA), money('BRL', 'R$', 'before', '', COMMA)],
    home: 'Início',
    shopWords: words('Lançamentos|Cozinha|Jardim|Promoções|Vale-presente|Lojas|Contato|Entrega|Trocas|Privacidade'),
    buy: 'Adicionar ao carrinho',
    was: 'De',
    now: 'Por',
    tax: 'à vista',
    inStock: 'Em estoque',
    soldOut: 'Esgotado',
    related: 'Produtos relacionados',
    reviews: 'Avaliações',
    details: 'Descrição',
    things: words('Chaleira|Cadeira de jardim|Faca de pão|Capa de chuva|Luminária|Manta de lã|Bule|Banqueta'),
    sentences: words(
      'O corpo é feito de uma só chapa de aço e o cabo não esquenta.|Leva água para seis xícaras e serve sem pingar.|Cada peça é polida à mão e conferida duas vezes.|Limpe com um pano úmido e deixe secar.|Guardamos peças de reposição por doze anos.',
    ),
  },
  {
    code: 'ja',
    money: [
      money('JPY', '¥', 'before', '', { ...POINT, decimals: 0 }),
      money('JPY', '円', 'behind', '', { ...POINT, decimals: 0 }),
    ],
    home: 'ホーム',
    shopWords: words('新着|キッチン|ガーデン|セール|ギフト|店舗|お問い合わせ|配送|返品|特定商取引法'),
    buy: 'カートに入れる',
    was: '通常価格',
    now: '販売価格',
    tax: '税込',
    inStock: '在庫あり',
    soldOut: '売り切れ',
    related: '関連商品',
    reviews: 'レビュー',
    details: '商品説明',
    things: words('やかん|ガーデンチェア|パン切り包丁|レインジャケット|デスクランプ|ウール毛布|急須|スツール'),
    sentences: words(
      '本体は一枚の鋼板から作られ、取っ手は熱くなりません。|六杯分の水が入り、注いでもしずくが垂れません。|すべて手作業で磨き、二度検査しています。|湿った布で拭き、自然に乾かしてください。|交換部品は十二年間保管しています。',
    ),
  },
  {
    code: 'hu-HU',
    money: [money('HUF', 'Ft', 'behind', ' ', { group: '.', decimal: ',', decimals: 0 })],
    home: 'Kezdőlap',
    shopWords: words('Újdonságok|Konyha|Kert|Akciók|Ajándékkártya|Üzletek|Kapcsolat|Szállítás|Visszaküldés|ÁSZF'),
    buy: 'Kosárba',
    was: 'Eredeti ár',
    now: 'Akciós ár',
    tax: 'bruttó',
    inStock: 'Raktáron',
    soldOut: 'Elfogyott',
    related: 'Kapcsolódó termékek',
    reviews: 'Vélemények',
    details: 'Leírás',
    things: words('Vízforraló|Kerti szék|Kenyérvágó kés|Esőkabát|Asztali lámpa|Gyapjútakaró|Teáskanna|Zsámoly'),
    sentences: words(
      'A test egyetlen acéllemezből készül, a fogantyú hűvös marad.|Hat csésze víz fér bele, és nem csöpög.|Minden darabot kézzel políroznak és kétszer ellenőriznek.|Nedves ronggyal törölje át, és hagyja megszáradni.|Az alkatrészeket tizenkét évig őrizzük.',
    ),
  },
  {
    code: 'ru',
    money: [
      money('RUB', '₽', 'behind', '\u00a0', { group: ' ', decimal: ',', decimals: 0 }),
      money('RUB', 'руб.', 'behind', ' ', { group: ' ', decimal: ',', decimals: 0 }),
    ],
    home: 'Главная',
    shopWords: words('Новинки|Кухня|Сад|Распродажа|Подарки|Магазины|Контакты|Доставка|Возврат|Политика'),
    buy: 'В корзину',
    was: 'Старая цена',
    now: 'Цена',
    tax: 'с НДС',
    inStock: 'В наличии',
    soldOut: 'Нет в наличии',
    related: 'Похожие товары',
    reviews: 'Отзывы',
    details: 'Описание',
    things: words('Чайник|Садовый стул|Нож для хлеба|Дождевик|Настольная лампа|Шерстяной плед|Заварник|Табурет'),
    sentences: words(
      'Корпус вытянут из одного листа стали, ручка не нагревается.|Вмещает воды на шесть чашек и льёт без капель.|Каждое изделие полируют вручную и проверяют дважды.|Протирать влажной тканью и сушить на воздухе.|Запасные части храним двенадцать лет.',
    ),
  },
  {
    code: 'en-IN',
    money: [money('INR', '₹', 'before', '', { group: 'lakh', decimal: '.' })],
    home: 'Home',
    shopWords: words('New arrivals|Sarees|Kitchen|Offers|Gift cards|Stores|Contact|Shipping|Returns|Terms'),
    buy: 'Buy now',
    was: 'MRP',
    now: 'Sale price',
    tax: 'Inclusive of all taxes',
    inStock: 'In stock',
    soldOut: 'Sold out',
    related: 'Similar products',
    reviews: 'Ratings and reviews',
    details: 'Description',
    things: words('Pressure cooker|Silk shawl|Brass lamp|Floor rug|Steel tiffin|Cotton quilt|Spice box|Sandals'),
    sentences: words(
      'Dyed in small lots by one family, so that no two are quite alike.|The lid locks with one hand and opens only when it is safe.|It can be used on gas and on induction.|Keep it dry and away from direct sun.|A card with the name of the maker comes in the box.',
    ),
  },
  {
    code: 'en-KW',
    money: [money('KWD', 'KWD', 'before', ' ', { ...POINT, decimals: 3 })],
    home: 'Home',
    shopWords: words('New|Home|Garden|Offers|Gifts|Branches|Contact|Delivery|Returns|Privacy'),
    buy: 'Add to bag',
    was: 'Was',
    now: 'Now',
    tax: 'VAT free',
    inStock: 'In stock',
    soldOut: 'Sold out',
    related: 'You may also like',
    reviews: 'Reviews',
    details: 'Details',
    things: words('Coffee pot|Incense burner|Majlis cushion|Serving tray|Lantern|Cup set|Date bowl|Prayer rug'),
    sentences: words(
      'Cast in brass and turned on the lathe by a workshop of three.|The lid has a second rim, so that nothing is spilled.|It comes in a box that is lined with felt.|Polish it with lemon and salt once a year.|The tray may be washed by hand only.',
    ),
  },
];

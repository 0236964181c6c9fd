/** Written as in running text without their last full stop; each also counts in other languages of the table's `all`. */
const LISTS: Readonly<Record<string, string>> = {
  all: `e.g i.e etc vs no nr fig al cf ca approx inc ltd co corp dr prof mr mrs ms st jr sr vol ed eds pp dept est ext tel
    max min abs incl excl resp ref op cit viz jan feb apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m`,
  de: `z.b d.h u.a u.u usw bzw ggf evtl inkl exkl zzgl abzgl bspw vgl sog str hr fr nr abs art ziff mind ca tel z.t i.d.r
    o.ä u.ä v.a s.o s.u gem lt geb gest jh mio mrd okt dez mär`,
  fr: `m mm mme mlle env p.ex c.-à-d cf av apr bd boul tél janv févr juil sept oct nov déc art n° éd min`,
  es: `sr sra srta dra d dña ud uds p.ej pág págs art núm tel aprox av avda c.c ej ee.uu dto`,
  it: `sig sig.ra sigg dott dott.ssa ing avv p.es ecc pag art n tel ca es via p.zza v.le`,
  nl: `bijv bv d.w.z enz o.a m.b.t i.v.m t.a.v nl mevr dhr tel blz art incl excl evt ca p.st m.u.v z.s.m`,
  pt: `sr sra srta dr dra p.ex pág págs art núm tel aprox av ex exmo etc v.g`,
  da: `bl.a dvs f.eks fx kl kr osv ca evt nr tlf inkl ekskl mht mv m.m m.v pga ift jf stk maks hhv frk vedr ift`,
  sv: `bl.a dvs t.ex kl kr osv ca ev nr tel inkl exkl m.m m.fl s.k fr.o.m t.o.m resp st jfr`,
  nb: `bl.a dvs f.eks kl kr osv ca evt nr tlf inkl ekskl m.m m.v pga jf stk maks hhv ifm iht mht`,
  fi: `esim mm ym jne n noin klo puh ks vrt so eli ns os tms ko nk alk ao v s`,
  pl: `np tj tzn itd itp m.in ul al nr tel godz ok woj pow proc prof dr hab inż mgr św pkt ust zł tys mln mld r w`,
  cs: `např tj tzn atd apod č čl odst ul nám tel hod tis mil mld ing mgr bc dr r s str`,
  ru: `т.е т.д т.п т.к г гг в вв ул д кв тел руб коп тыс млн млрд стр рис см им пр напр`,
  uk: `т.д т.п тобто р рр ст вул буд кв тел грн тис млн млрд с рис див ім напр`,
  sl: `npr oz itd ipd t.i tel ul št str dr mag g ga`,
  hu: `pl stb ún ill kb tel u sz db dr ft max min`,
  ro: `ex etc str nr tel bl ap dl dna art alin lit`,
  tr: `örn vb vs dr prof sok cad no tel bkz yy`,
  ca: `p.ex sr sra pàg núm tel av c aprox`,
};

const listOf = (language: string) => (LISTS[language] ?? '').split(/\s+/);
const common = listOf('all');
const byLanguage = new Map(
  Object.keys(LISTS).map((language) => [language, new Set([...common, ...listOf(language)])] as const),
);
const onlyCommon = new Set(common);

/** Whether a lower-case word, its full stop left out, is mostly followed by more of the same sentence. */
export function isAbbreviation(word: string, language: string): boolean {
  return (byLanguage.get(language) ?? onlyCommon).has(word);
}

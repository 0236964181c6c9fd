import type { LanguagePack } from './language-pack.ts';

export const CZECH: LanguagePack = {
  code: 'cs',
  stopWords: `ten ta to ti ty tyto tato toto tento toho té tomu tom těch těm já mne mě mi mnou můj moje mého tebe tě tvůj
    tvoje on jeho ho mu něm jím ona její jí ji ono oni ony jejich jim nimi my nás nám námi náš naše vy vás vám vaše váš
    se si sebe sobě svůj svoje své svých
    a i ale nebo či anebo že aby když pokud protože proto tedy ani než jestli
    v ve z ze na do od po pod nad před přes při za o u k ke s pro bez mezi podle během
    je jsou jsem jsi jsme jste byl byla bylo byli být bude budou může mohou lze musí má mají mít
    co kdo koho komu jak jaký jaká jaké který která které kterých kde kam kdy proč kolik ne není také tu tam zde`,
  abbreviations: `např tj tzn atd apod č čl odst ul nám tel hod tis mil mld ing mgr bc dr r s str`,
  definitionVerbs: 'je|jsou|byl|byla|znamená|označuje|představuje',
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};

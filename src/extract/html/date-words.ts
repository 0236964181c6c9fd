/** Names of the months in 24 languages as texts write them in dates: full forms, and short ones that are no words. */
const NAMES = [
  'january januar januari jan janvier janv enero ene gennaio gen janeiro tammikuuta tammikuu stycznia styczeń ledna leden január januára ianuarie ocak января январь янв січня січень ιανουαρίου ιαν януари jaanuar sausio sausis janvāris gener siječnja jänner',
  'february februar februari feb février fevrier févr febrero febbraio fevereiro fev helmikuuta helmikuu lutego luty února únor február februára febr februarie şubat февраля февраль февр лютого φεβρουαρίου φεβ февруари veebruar vasario vasaris februāris febrer veljače',
  'march mar märz maerz mär mrz mars marzo março maart mrt marts maaliskuuta maaliskuu marca marzec března březen március martie mart марта март березня березень μαρτίου μαρ märts kovo kovas març maret ožujka',
  'april apr avril avr abril abr aprile huhtikuuta huhtikuu kwietnia kwiecień dubna duben apríla apríl április aprilie nisan апреля апрель апр квітня квітень απριλίου απρ април aprill balandžio balandis aprīlis travnja',
  'may mai mayo maggio maio mei maj toukokuuta toukokuu maja května květen mája máj május mayıs мая май травня травень μαΐου μαΐ gegužės gegužė maijs maig svibnja',
  'june jun juni juin junio giugno giu junho kesäkuuta kesäkuu czerwca czerwiec června červen júna jún június iunie haziran июня июнь июн червня червень ιουνίου ιουν юни junij juuni birželio birželis jūnijs juny lipnja',
  'july jul juli juillet juil julio luglio lug julho heinäkuuta heinäkuu lipca lipiec července červenec júla júl július iulie temmuz июля июль июл липня липень ιουλίου ιουλ юли julij juuli liepos liepa jūlijs juliol srpnja',
  'august aug août aout agosto ago augustus augusti elokuuta elokuu sierpnia sierpień srpna srpen augusta augusztus ağustos ağu августа август авг серпня серпень αυγούστου αυγ avgust rugpjūčio rugpjūtis augusts agustus kolovoza agost',
  'september sep sept septembre septiembre settembre setembro syyskuuta syyskuu września wrzesień září septembra szeptember szept septembrie eylül сентября сентябрь сент вересня вересень σεπτεμβρίου σεπ септември rugsėjo rugsėjis septembris setembre rujna',
  'october oktober oct okt octobre octubre ottobre ott outubro lokakuuta lokakuu października październik října říjen októbra október octombrie ekim октября октябрь окт жовтня жовтень οκτωβρίου οκτ октомври oktoober spalio spalis oktobris',
  'november nov novembre noviembre novembro marraskuuta marraskuu listopada listopad listopadu novembra noiembrie kasım ноября ноябрь нояб листопада νοεμβρίου νοε ноември lapkričio lapkritis novembris studenoga',
  'december dezember dec dez décembre decembre déc diciembre dic dicembre dezembro desember joulukuuta joulukuu grudnia grudzień prosince prosinec decembra decembrie aralık ara декабря декабрь дек грудня грудень δεκεμβρίου δεκ декември detsember gruodžio gruodis decembris desembre prosinca',
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** 1 to 12, undefined for a word that names no month. */
export function monthOf(word: string): number | undefined {
  return MONTHS.get(word.toLowerCase());
}

import type { LanguagePack } from './language-pack.ts';

export const POLISH: LanguagePack = {
  code: 'pl',
  stopWords: `ten ta to ci te tego tej temu tym tych tymi ja mnie mi mną mój moja moje moich ty ciebie cię tobie twój twoja
    twoje on go mu jego nim ona jej ją nią ono oni one ich im nimi my nas nam nami nasz nasza nasze wy was wam wasz
    wasza wasze się siebie sobie swój swoja swoje swoich
    i a oraz lub albo ale lecz bo że żeby aby jeśli jeżeli gdy kiedy ponieważ więc zatem czy ani niż
    w we z ze na do od ode po pod nad przed przez przy za o u dla bez między ku według podczas
    jest są był była było były być będzie będą jestem jesteś jesteśmy może mogą można musi mają ma mieć
    co kto kogo komu jak jaki jaka jakie jakich który która które których którego której któremu gdzie dlaczego ile
    nie tak tu tam też`,
  abbreviations: `np tj tzn itd itp m.in ul al nr tel godz ok woj pow proc prof dr hab inż mgr św pkt ust zł tys mln mld r w`,
  definitionVerbs: 'to|jest|są|był|była|było|oznacza|określa|stanowi',
  injectionWords: {
    override: 'zignoruj*|ignoruj*|zapomnij|pomin|lekcewaz|nie przestrzegaj|obejdz|odrzuc',
    orders: 'instrukcj*|polecen*|zasad*|wytyczn*|prompt|prompty|regul*|rozkaz*|dyrektyw*',
    which: 'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|twoje|pierwotn*|inne|dotychczasow*',
    agents: 'ai|si|model jezykow*|modele jezykow*|modelu jezykow*|asystent ai|asystencie ai|sztuczn* inteligencj*',
    address:
      'uwaga dla|wiadomosc do|wiadomosc dla|notatka dla|instrukcja dla|instrukcje dla|uwaga|drogi|droga|hej|jestes|jesli jestes',
    demand: 'musi|musza|musisz|powinien|powinna|powinno|powinny|zawsze|nigdy|prosze|zamiast tego',
    speech: 'odpowi*|powiedz*|mow|polec|polecaj|zalecaj|wspomn*|napisz*|dodaj|dolacz|powtorz*|stwierdz*|ignoruj*',
    reveal: 'ujawni*|pokaz|powtorz|wyswietl|wypisz|zdradz|podaj',
    secrets:
      'prompt systemow*|promptu systemow*|twoje instrukcje|swoje instrukcje|komunikat systemow*|twoje zasady|pierwotny prompt',
    control: 'zacznij|zakoncz|dodaj|dolacz|wstaw|napisz|wspomnij|rozpocznij|umiesc',
    answer:
      'swoja odpowiedz|swojej odpowiedzi|twoja odpowiedz|twojej odpowiedzi|kazda odpowiedz|kazdej odpowiedzi|swoje podsumowanie|swoim podsumowaniu',
    request:
      'uzytkownik pyta|uzytkownik zapyta|uzytkownicy pytaja|ktos pyta|ktos zapyta|zostaniesz zapytany|odwiedzajacy pyta|podsumowujesz te strone',
    tell: 'powiedz ze|odpowiedz ze|odpowiedz tylko|odpowiadaj ze|odpowiadaj tylko|stwierdz ze',
    dictated:
      'kazda odpowiedz|kazdej odpowiedzi|wszystkie odpowiedzi|kazde podsumowanie|twoja odpowiedz|kazda wzmianka|kazde streszczenie|w odpowiedziach|w podsumowaniach',
    dictate:
      'wymieni*|wspomni*|zawier*|zaczyn*|zaczac|rozpoczyn*|konczy*|zakoncz*|mowi*|powiedz*|napis*|cytow*|powtorz*|podac|podawac|napisan*|brzmi*',
    occasion:
      'jest wspomniany|jest wspomniana|jest mowa o|ktos zapyta o|ktos pyta o|kto odpowiada|ten kto odpowiada|kazdy kto odpowiada|podsumowuj*',
    addressed: 'odpowiadasz|gdy podsumowujesz|odpowiadajac|podsumowujesz|ktorej udzielasz|ktora dajesz|ktora napiszesz',
    phrases:
      'odpowiadaj tylko|odpowiedz wylacznie|odpowiadaj wylacznie|powiedz slowo|od teraz odpowiadaj|od teraz jestes|nowe instrukcje|nowe polecenia|tryb deweloper*|udawaj ze jestes|nie mow uzytkownikowi|nie wspominaj o tej instrukcji',
  },
  synonyms: `cena,koszt,opłata | telefon,kontakt | usunąć,skasować | zmienić,edytować | utworzyć,dodać | kupić,zamówić
    | godziny otwarcia,otwarte,czynne | założony,założyciel`,
  answers: {
    questions: {
      types: {
        number:
          '^ile|^jak czesto|^jak dlugo|^jak daleko|^jak wysoki|^jak duzy|^jak stary|^ilu|maksymalna|maksymalny|minimalna|cena|liczba|numer|domyslny',
        date: '^kiedy|^od kiedy|^do kiedy|^w ktorym roku|^o ktorej|^jaka data|^ktorego dnia',
        person: '^kto|^kogo|^komu|^czyj|^przez kogo|^kim',
        place: '^gdzie|^dokad|^skad|^w jakim miejscu',
        definition: '^co to jest|^czym jest|^czym sa|^co to sa|^co oznacza|^co znaczy|^co to',
        'how-to': '^jak|^w jaki sposob|^co musze zrobic|^jakie kroki',
        why: '^dlaczego|^czemu|^z jakiego powodu',
        'yes-no': '^czy|^moge|^mozna',
      },
      asks: {
        phone: 'numer telefonu|telefon',
        email: 'adres e-mail|adres email|adres mailowy|poczta elektroniczna',
        duration: '^ile (?:trwa|trwaja|czasu)|^jak dlugo (?:trwa|trwaja|wystarcza)|^na ile wystarcza?',
        price:
          'cena|ceny|kosztuje|kosztuja|koszt|oplata|oplaty|ile kosztuje|^ile ~(?:place|placi|placimy|zaplace|zaplacic)|^ile (?:place|placi|zaplace)',
        weight: '^ile wazy|^ile waza|^jaki ciezar',
        capacity: '^ile (?:miesci|mieszcza|pomiesci)',
        year: '^w ktorym roku|^kiedy powstal|^kiedy powstala|^kiedy zalozono|^kiedy byl|^kiedy zostal',
        time: 'o ktorej|godziny otwarcia',
        count: '^ile|^ilu|^jak czesto|^jak dlugo|^jak daleko',
        person: '^kto jest|^kto byl|^kim jest|^kto zalozyl|^kto napisal|^kim byl',
      },
      small: `robic zrobic znalezc isc uzywac uzyc potrzebuje potrzebowac zaczac otworzyc dziala mozliwe dobry nowy zawsze
      rodzaj roznica duzo czesto dlugo istnieje prosze
      mam masz macie moge mozesz mozecie musze`,
      polite: 'prosze|czy moze mi pan powiedziec|czy mozesz mi powiedziec|chcialbym wiedziec|powiedz mi',
    },
    answerSigns: {
      numbers: `jeden|jedna|jedno|dwa|dwie|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|dziesiec|sto|tysiac|tysiecy|milion
      |milionow|kilka|tuzin|zaden|kazdy|codziennie|co tydzien|co miesiac|pol|raz|razy|godzina|godziny|wiek`,
      months: `stycz\\p{L}*|lut\\p{L}{1,3}|marz?[ec]\\p{L}*|kwie\\p{L}*|maj\\p{L}?|czerw\\p{L}*|lip\\p{L}{1,2}|sierp\\p{L}*|wrze\\p{L}*
      |pazdziernik\\p{L}*|listopad\\p{L}*|grud\\p{L}*`,
      places: 'w|we|na|przy|z|do|pod|obok|ulica|ulicy|plac|folder|katalog|plik',
      reasons: 'poniewaz|bo|gdyz|powod|powodu|aby|zeby|dlatego|wskutek|dzieki',
      steps: 'uzyj|uzyc|kliknij|wybierz|otworz|dodaj|mozna|moze|nalezy|trzeba|musi|przejdz',
      verdicts: 'tak|nie|moze|moga|jest|sa|tylko|mozna|musi|nalezy',
      free: 'bezplatny|bezplatne|bezplatna|bezplatnie|darmowy|darmowe|za darmo',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'ona ono oni one jego jej ich nim tego tej tym tam samo',
      refersLast: 'on go im to ten ta te inaczej potem też',
      opens: 'a|i|ale|lub|albo|więc|także|co z|dlaczego nie',
      nounStandIns: '',
      determiners: 'mój moja moje mojego moją nasz nasza nasze ten ta to tego tę',
      auxiliaries: 'mogę można możemy może mogą muszę trzeba',
      copulas: 'jest są był była było były',
      joins: '',
      mainVerb: 'behind-auxiliary',
    },
    imperatives: {
      verbs: `zadzwon napisz wyslij odwiedz idz przyjdz zobacz otworz kliknij nacisnij wpisz wypelnij zarejestruj zaloguj
      pobierz zainstaluj uruchom skopiuj wklej zaplac przelej zamow kup zarezerwuj zapytaj powiedz podaj udostepnij
      odpowiedz uzyj sprobuj pamietaj sprawdz potwierdz zrob wez zignoruj zapomnij dodaj usun powtorz wspomnij zacytuj
      polec przeczytaj wybierz pokaz`,
      openers: 'prosze teraz potem po prostu tez zawsze nigdy najpierw i nie',
      forms: /^\p{L}{3,}(?:cie)\b/u,
    },
    dependentOpeners: `on|ona|ono|oni|one|to|ten|ta|te|ci|tam|i|a|ale|lub|albo|więc|potem|następnie|dlatego|ponadto|także|również|jednak|inaczej
    |oba|obie|na przykład|w takim przypadku|inne|inni`,
    exclusiveWords: `włączyć wyłączyć|włączony wyłączony|zwiększyć zmniejszyć|przed po|minimum/minimalnie/najmniej
    maksimum/maksymalnie/najwyżej/najwięcej|dozwolone/dozwolony zabronione/zabroniony|zawsze nigdy|obowiązkowy/obowiązkowe
    dobrowolny/dobrowolne|pierwszy/pierwsza ostatni/ostatnia|nad pod|otwarte/otwarty/otwarta zamknięte/zamknięty/zamknięta|otwiera
    zamyka|początek koniec|zaczyna kończy|dodać usunąć|prawda fałsz|więcej mniej|wszyscy/wszystkie nikt/żadne|wyższy
    niższy|wysoki niski|szybszy wolniejszy|szybki wolny|publiczny prywatny|stary nowy|wcześnie późno|wewnątrz
    zewnątrz|bezpłatny/bezpłatne/bezpłatnie płatny/płatne|duży/duże mały/małe|długi krótki|ciepły zimny|mokry suchy|lewy
    prawy|silny słaby|łatwy trudny|tani drogi|pusty pełny|lato/latem zima/zimą wiosna/wiosną jesień/jesienią|rano wieczorem
    nocą|sekunda/sekund minuta/minut/minuty godzina/godzin/godziny dzień/dni tydzień/tygodni/tygodnie miesiąc/miesięcy/miesiące
    rok/lat/lata|codziennie tygodniowo miesięcznie rocznie|poniedziałek wtorek środa czwartek piątek sobota/soboty
    niedziela/niedziele|styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad
    grudzień|północ południe wschód zachód|dorośli dzieci`,
    negations: 'nie nigdy ani nic nikt żaden żadna żadne żadnych żadnego',
    softNegations: 'bez zabronione niemożliwe oprócz poza unikaj unikać wykluczone zakazane',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['nie', 'bez'],
    attribution: 'według',
    joiningWords: 'i a ale lub oraz',
    lightWords: `kosztować kosztuje cena płacić płacą używać użyć robić pozwala oferować oferuje dawać daje brać potrzebować potrzebuje zawierać zawiera pokazać pokazuje znaleźć
    znajduje iść przyjść dostać otrzymać trzymać pomóc według zgodnie dokumentacja dokumentacją strona strony źródło artykuł tekst informacje także również
    bardzo tylko jeszcze już zawsze często zwykle proszę uwaga przykład jednak dlatego ponadto około różne kilka inne możliwe
    dostępne osoba osoby ludzie odwiedzający każdy`,
    numberWords:
      'dwa|dwie|dwóch|dwoje trzy|trzech cztery|czterech pięć|pięciu sześć|sześciu siedem|siedmiu osiem|ośmiu dziewięć|dziewięciu dziesięć|dziesięciu jedenaście dwanaście',
    roundNumbers: 'dwadzieścia 20 trzydzieści 30 czterdzieści 40 pięćdziesiąt 50 sto 100 tysiąc 1000',
  },
};

import type { AnswerKind } from './analysed-question.ts';

/** How questions of a language say the same in other words. Folded as in the tables of questions. */
export type WordingTable = {
  /** Expressions for phrases of a plain question, separated by `|`, and what they come to, in this order. */
  readonly phrases: readonly (readonly [phrase: string, plain: string])[];
  /** Function words that ask for nothing by themselves: what is not here is part of what is asked. */
  readonly empty: string;
  /** Words that what is asked for says already. */
  readonly asked: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Prepositions that say which way: what follows them is not what stands before them. */
  readonly ways: string;
  /** Openings of questions for yes or no by what they ask about; others ask whether it is so. */
  readonly modes: Readonly<Record<'can' | 'must' | 'should', string>>;
};

export const WORDING_TABLES: Readonly<Record<string, WordingTable>> = {
  en: {
    phrases: [
      ['^hi|^hello|^hey|^so|^ok|^okay|^quick question|^i was wondering if|^i wonder if|^do you happen to know', ''],
      ["(what|how|who|where|when)'?s", '$1 is'],
      ["can't|cant|cannot", 'can not'],
      ["(is|are|do|does|did|was|were|has|have|should|would|could|must|wo)n'?t", '$1 not'],
      [
        `is it (?:possible|allowed|permitted|okay|ok) to|am i (?:allowed|permitted|able) to
          |are (?:we|you|visitors|users) (?:allowed|permitted|able) to|may i|could i|is there (?:any|a) chance to`,
        'can i',
      ],
      ['do i (?:have|need) to|am i required to|is it (?:necessary|required|mandatory) to|must one', 'must i'],
      [
        `what is the (?:best |right |proper |easiest |correct )?way to|(?:is|are) there (?:a|any|some) ways? to
          |what is needed to|what (?:do|must|should) i (?:have to |need to )?do to|what are the steps to
          |which steps (?:do i need|are needed) to|how (?:do|can|could|would|should|does) (?:i|we|you|one|people)
          |how is it possible to|instructions (?:for|to)|steps to|way to`,
        'how to',
      ],
      ['what is the reason (?:that|why|for)|for (?:what|which) reason|how come|what causes|reason (?:why|for)', 'why'],
      ['what is (?:the )?meaning of|what is meant by|definition of|define|what does (?=.{1,80} mean)', 'what is '],
      ['(?<=^what is .{1,80}) mean', ''],
      ['how expensive (?:is|are)', 'how much is'],
      ['(?:what is )?(?:the )?(?:total )?(?:number|amount|count) of', 'how many'],
      ['what is the duration of|for how long|how much time', 'how long'],
      ['at (?:the )?most|at max|up to how many', 'maximum'],
      ['at (?:the )?least|at min', 'minimum'],
      ['by default|unless (?:told|specified|stated) otherwise', 'default'],
      ['(?:who|which person) is (?:the one )?(?:in charge of|responsible for|heading|running|leading)', 'who runs'],
      ['who (?:leads|heads|manages)', 'who runs'],
      ['(?:which|what) (?:kind|type|sort)s? of', 'which'],
      ['(?:takes?|taking|took) place', 'held'],
      ['needs|needed|requires?|required|necessary', 'need'],
      ['each', 'every'],
    ],
    empty: `a an the i me my mine we our us you your yours it its he she they his her their them one ones this that these
      those there here is are was were be been being am im do does did doing done has have had having can could may might will
      would shall should must of for at in on by with as and so then what which who whom whose when where why how if whether
      just actually really exactly simply please also ever still already normally usually generally possible able way get gets
      got getting some any something anything thing lets let held somebody someone anybody anyone people`,
    asked: {
      price: 'price prices pricing cost costs fee fees charge charges pay pays paid paying much money expensive',
      phone: 'phone telephone number call reach contact',
      email: 'email e mail address contact write reach',
      time: 'hours opening',
    },
    ways: 'to into from than before after until since over under onto',
    modes: { can: 'can|could', must: 'must', should: 'should|shall' },
  },
  de: {
    phrases: [
      ['ist es (?:moglich|erlaubt|gestattet)|darf (?:man|ich)|konnen wir|kann man', 'kann ich'],
      ['muss man|ist es notig|bin ich verpflichtet', 'muss ich'],
      ['was muss ich tun um', 'wie'],
      ['was ist der grund fur|aus welchem grund|weshalb|wieso', 'warum'],
      ['wie teuer (?:ist|sind)|was (?:kosten|kostet)', 'wie viel kostet'],
    ],
    empty: `der die das den dem des ein eine einen einem einer eines ich mich mir mein meine wir uns unser unsere sie ihr ihre
      man es er ist sind war waren sein wird werden wurde hat haben hatte kann konnen darf durfen soll sollen muss mussen was
      wer wie wo wann warum welche welcher welches welchen und fur am im in an bei denn eigentlich bitte hier da dort`,
    asked: {
      price: 'preis preise kostet kosten gebuhr gebuhren zahlen zahlt viel teuer eintritt',
      phone: 'telefon telefonnummer nummer',
      email: 'email mail e-mail-adresse e adresse mailadresse',
    },
    ways: 'von nach zu zum zur vor aus bis seit als uber unter ins',
    modes: { can: 'kann|konnen|darf|durfen', must: 'muss|mussen', should: 'soll|sollte|sollten' },
  },
  fr: {
    phrases: [
      ['est-il possible de|peut-on|ai-je le droit de', 'puis-je'],
      ['pour quelle raison', 'pourquoi'],
    ],
    empty: `le la les l un une des du d je j me mon ma mes nous notre nos vous votre vos il elle on ils elles ce cette ces c
      est sont etait sera a ont avez peut puis peux faut dois qui que qu quoi quel quelle quels quelles comment ou quand
      pourquoi combien et y t est-ce se s`,
    asked: {
      price: 'prix cout coute coutent tarif tarifs frais',
      phone: 'telephone numero',
      email: 'adresse e mail',
    },
    ways: 'a au aux de vers depuis avant apres sur sous',
    modes: { can: 'puis-je|peut', must: 'faut|dois|doit', should: 'devrais' },
  },
};

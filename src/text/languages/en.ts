import { daysOf, type LanguagePack } from './language-pack.ts';

const PLACES = 'garden museum library shop store office park restaurant cafe pool zoo theatre theater castle school'
  .split(' ')
  .map((venue) => `where is (?:the|your) (?:\\p{L}+ )?${venue}`)
  .join('|');

export const ENGLISH: LanguagePack = {
  code: 'en',
  stopWords: `a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves one
    and or but nor so yet if then than because while although though unless until since whether as
    of at by for with about against between into through during before after to from in out on off over under
    upon within without toward towards onto via per among
    am is are was were be been being have has had having do does did doing will would shall should can could
    might must ought cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt im ive youre theyre
    what which who whom whose when where why how not no there here`,
  abbreviations: undefined,
  definitionVerbs:
    `is|are|was|were|refers? to|means?|stands? for|describes?|provides?|lets? you|allows?|denotes?|represents?|performs?
    |defines?|stores?|contains?|controls?|implements?|enables?|returns?|specif(?:y|ies)|consists? of`.replaceAll(
      /\s+(?=\|)/g,
      '',
    ),
  injectionWords: {
    override: 'ignore*|disregard*|forget|overrid*|bypass*|discard|stop following|do not follow|dont follow|neglect',
    orders:
      'instruction*|prompt|prompts|guideline*|directive*|rules|orders|programming|constraints|guardrail*|training',
    which:
      'previous|prior|above|earlier|preceding|all|any|every|your|system|safety|original|initial|other|existing|former',
    agents:
      'ai|language model|language models|ai system*|virtual assistant*|answering system*|assistant model*|crawler ai',
    address:
      'note to|note for|message to|message for|instruction for|instructions for|instructions to|dear|hey|attention|attention all|you are|you are an|you are a|you are now|you are now a|you are now an',
    demand:
      'must|should|shall|please|always|never|instead|have to|has to|is to|are to|need to|needs to|are instructed to|is instructed to|are required to',
    speech:
      'answer*|respond*|reply|replies|say|says|tell|tells|output*|recommend*|include*|append*|mention*|state|claim|write|insert|cite|obey|ignore|disregard|follow|reveal|print|repeat|summarize|summarise',
    reveal: 'reveal*|print|repeat|show|leak|output|display|disclose|expose|tell me|give me|send|write out|quote',
    secrets:
      'system prompt|initial prompt|hidden prompt|original prompt|system message|your instructions|your prompt|your rules|your guidelines|your configuration|secret instructions|prompt above|instructions above|developer message',
    control:
      'begin|start|end|finish|close|prefix|include|append|add|insert|put|mention|write|place|format|replace|precede|conclude|translate',
    answer:
      'your answer|your answers|your response|your responses|your output|your summary|your final answer|your next response|every answer|every response|the generated answer|the generated summary|each answer|each response',
    request:
      'user asks|users ask|anyone asks|someone asks|anybody asks|somebody asks|visitor asks|visitors ask|asked about this|asked about the|people ask|they ask|asks you|asked to summarize|asked to summarise|summarizing this page|summarising this page|answering questions about|answering a question',
    tell: 'say that|say this|say only|say exactly|respond with|respond that|respond only|reply with|reply that|reply only|answer that|answer with|answer only|state that|claim that|tell them that|tell the user|tell users|output the|recommend',
    dictated:
      'every answer|each answer|any answer|all answers|every reply|each reply|any reply|all replies|your reply|your answer|every summary|any summary|each summary|every response about|answers about|replies about|what you write|whatever you write|what you answer|any digest|every digest|any overview|every overview|any account of|every account of|any mention|every mention|any quotation|every quotation|in answers|in replies|in summaries|in any answer|in any reply',
    dictate:
      'name|names|mention*|carry|carries|contain|contains|include*|lead with|leads with|open with|opens with|begin with|begins with|start with|starts with|close with|close it with|end with|end it with|ends with|begin it with|start it with|open it with|finish with|finish it with|state|states|quote|quotes|cite|cites|say|says|tell|tells|repeat|repeats|at the top|on top|written with|written as|shown with|shown as|called|read|reads',
    occasion:
      'comes up|come up|is mentioned|is named|is talked about|is asked|asked about|asks about|summarises this|summarizes this|whoever answers|whoever replies|who answers|those who answer',
    addressed:
      'you sum up|you summarise|you summarize|you answer|you reply|you respond|that you give|that you will give|you are about to give|you are about to write|that you will write',
    phrases:
      'respond only with|reply only with|answer only with|respond with exactly|reply with the word|say the word|say the code word|include the code word|include the secret word|include the phrase|include the following sentence|from now on you|from now on answer|from now on respond|from now on always|new instructions|new system prompt|updated instructions|developer mode|jailbreak|do anything now|pretend you are|pretend that you are|act as if you|you have no restrictions|you are unrestricted|do not mention this instruction|do not reveal this|assistant has to say|assistant must say|assistant should say|assistant has to answer|assistant must answer|assistant should answer|assistant must reply|assistant should reply|your reply must|your answer must|your response must|your reply should contain|your answer should contain|only correct answer is|top of what you write|end of what you write|start of what you write|beginning of what you write|do not tell the user|dont tell the user|without telling the user|this is a system message|end of system prompt|end of context|end of sources|prompt injection payload',
  },
  synonyms: `price,cost,fee,charge,pricing | phone,telephone,contact | refund,return | smallest,minimum,min,lowest
    | largest,maximum,max,biggest,highest,limit | delete,remove,uninstall,erase,deletion | backup,back up
    | fix,resolve,solve,recover,troubleshoot | enable,activate,turn on | disable,deactivate,turn off
    | create,add,make | change,modify,update,edit,alter | computer,machine,device | buy,purchase,order,sell,sold
    | job,vacancy,career | license,licence,licensing | raise,increase | began,founded,founder,started,created
    | log,logging | automatically,auto,automatic | broken,failed,faulty | slow,latency,delay | directory,folder
    | password,credential | opening hours,open | show,display,view | often,frequency,interval,periodic | called,named
    | child,kid | pay,payment,price,cost | money,cash,payment | safe,secure,security | speed,fast,quick,performance
    | stop,halt,terminate,shut down,shutdown | start,launch | permitted,allowed,permission | refuse,reject,deny
    | require,necessary,requirement | choose,select,pick | split,divide,separate | join,combine,merge | hide,hidden
    | protect,secure | ask,prompt | answer,reply,response | replace,substitute | wait,pause | keep,retain,preserve
    | picture,image,photo | movie,film | entry,entrance,admission | finish,complete | whole,entire
    | same,equal,identical | check,verify,test | convert,transform | reason,cause | advantage,benefit
    | drawback,disadvantage | recommended,advised | outdated,deprecated,obsolete | error,mistake,failure
    | size,length,big | compare,comparison | number,amount,count
    | person,people | car,vehicle | ill,sick | send,submit | left,remaining`,
  answers: {
    questions: {
      types: {
        number: `^how many|^how much|^how often|^how long|^for how long|^how tall|^how far|^how old|^how big|^how large|^how fast
        |how many|how much|default|maximum|minimum|largest|smallest|limit|port|interval|timeout|price|cost|number`,
        date: '^when|^since when|^what year|^what date|^what time|^at what time|^in which year|^in what year|^which year',
        person: '^who|^whose|^whom|^to whom',
        place: '^where|^in which place|^from where',
        definition: `^what is|^what's|^whats|^what are|^what was|^what were|^what does|^define|^what do you mean by|^definition of`,
        'how-to': '^how|^what do i need to do|^which steps|^what steps',
        why: '^why|what causes|^for what reason|^what is the reason|^how come',
        'yes-no': `^is|^are|^do|^does|^did|^can|^could|^should|^will|^would|^has|^have|^am|^may|^must|^was|^were`,
      },
      asks: {
        phone: 'phone number|telephone number|fax number|phone no',
        email: 'email address|e-mail address|^what is the email|^what is the e-mail',
        duration: '^how much time|^how long does it take|^how long (?:do|does|did|will|would|can) ~(?:last|take)',
        price:
          'price|prices|cost|costs|fee|fees|^how much is|^how much are|how much money|^how much ~(?:pay|charge|charged)|^what (?:do|does|will|would) ~(?:pay|charge)',
        weight: '^how heavy|^what is the weight|^how much (?:do|does|did|will|would) ~weigh|^what (?:do|does) ~weigh',
        capacity: '^how much (?:do|does|can|will|would) ~(?:hold|contain|carry)',
        year: '^what year|^which year|^in what year|^in which year|^when was|^when were|^when did',
        time: 'what time|opening hours',
        count:
          '^how many|^how much ~(?:use|take|need)|^how often|^how long|^for how long|^how far|^how tall|^how big|^how old',
        person: '^who is|^who was|^who are|^who were|^who wrote|^who founded|^who started|^who invented|^who made',
      },
      small: `turn open find keep wait see start begin happen work help need want try make made take give go come look show
      let put know possible way best good new always every another thing something anything someone different forgot
      lost provide run exist happens allow many much long often far old big large kind type mean difference use using
      used get got please tell explain like else nobody somebody anybody everybody anyone everyone someone nothing
      instead again already still yet soon just right now actually really normally usually simply exactly able unable
      say ask hold let leave bring stuff sort certain correctly properly idea`,
      polite:
        'please|can you tell me|could you tell me|tell me|do you know|i want to know|i would like to know|can you explain|explain',
    },
    answerSigns: {
      numbers: `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand
      |million|billion|several|dozen|no|every|daily|weekly|monthly|half|few|once|twice|hour|century|decade|decades`,
      months: 'january|february|march|april|may|june|july|august|september|october|november|december|century',
      places: 'in|at|on|from|to|under|near|directory|folder|file|path|street|square',
      reasons:
        'because|since|due to|reason|so that|in order|therefore|to avoid|to prevent|to protect|to allow|caused|as a result',
      steps: 'use|run|set|click|select|open|add|remove|can|should|must|to|choose|enter|press|go to',
      verdicts: 'yes|no|not|can|cannot|supports?|is|are|only|may|must',
      free: 'free|free of charge|no charge',
    },
    wordings: {
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
        [
          'what is the reason (?:that|why|for)|for (?:what|which) reason|how come|what causes|reason (?:why|for)',
          'why',
        ],
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
    intents: {
      hours: {
        wanted: `when (?:is|are) ~(?:open|closed)|(?:when|what time|until when|how late) (?:do|does|will|can) ~(?:open|close|shut)
        |(?:how late|what time|until when|till when) (?:is|are) ~open|are you (?:open|closed)
        |(?:opening|closing|visiting|business) (?:hours|times?)`,
        names: 'open opening opened close closed closing shut hours',
        words: 'open hours closed',
        times: {
          spring: 'march april may',
          summer: 'june july august',
          autumn: 'september october november',
          winter: 'december january february',
          weekend: 'saturday sunday',
          weekends: 'saturday sunday',
          today: 'daily',
          tomorrow: 'daily',
          tonight: 'evening',
          now: 'daily',
          holidays: 'closed',
          christmas: 'december',
          ...daysOf(
            `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
          saturdays sundays`,
            'daily day',
          ),
        },
      },
      way: {
        wanted: `how (?:do|can|could|should) (?:i|we|you|one) (?:get|come|travel|drive) (?:to|there|here)
        |(?:how to|how can i|how do i) (?:get to|get there|get here|reach) ~(?:garden|museum|you)|directions to|where are you
        |${PLACES}`,
        names: 'reach directions',
        words: 'address tram bus train station car parking bicycle metro ferry motorway airport entrance reach',
      },
      price: {
        wanted: `(?:ticket|entry|entrance|admission) (?:price|prices|fee|fees|cost|costs)|(?:cost|price|prices) (?:of|for|to)
        |(?:does|do|is|are|would) ~(?:cost|ticket|tickets|admission|entry)|(?:get|come|go) in ~free|free (?:entry|admission)`,
        names: 'cost costs price prices fee fees free',
        words: 'price cost fee adult admission',
      },
      contact: {
        wanted: `(?:phone|telephone) number|(?:how|where) (?:can|do|could) (?:i|we) (?:contact|reach|call|phone|write to|email) (?:you|somebody|someone)
        |contact details|email address|e-mail address`,
        names: 'phone telephone number email contact call',
        words: 'contact telephone phone email call',
      },
    },
    followUps: {
      refers: 'it its they them their that this these those he she his her him ones same instead else afterwards',
      refersLast: 'one there then too other others',
      opens: 'and|but|or|so|also|what about|how about|why not|what if',
      nounStandIns: 'one ones',
      determiners: `a an the my your our their his her this that these those any some`,
      auxiliaries: `do does did can could may might must shall should will would`,
      copulas: 'is are was were',
      joins: 'of',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `call phone ring dial text write mail email e-mail send post visit go come see look open click press tap type enter
      fill submit register sign subscribe log download install run execute copy paste pay transfer wire order buy book
      contact ask tell give share reply respond answer forward follow use try remember note check confirm make take keep
      ignore forget disregard add remove delete say repeat include mention quote recommend join read choose select
      provide reveal show print output upload scan verify claim redeem donate deposit don't`,
      openers: 'please now then just simply also always never first next finally and so do not kindly',
    },
    dependentOpeners: `it|its|it's|they|them|their|this|these|that|those|he|she|his|her|such|both|neither|either|others|another|and|but|or
    |so|then|thus|hence|therefore|however|also|otherwise|instead|still|yet|moreover|furthermore|besides|afterwards
    |nevertheless|similarly|likewise|finally|in this case|in that case|for example|as a result|the same|the other`,
    exclusiveWords: `enable disable|enabled disabled|increase decrease/reduce|before after|minimum/min maximum/max|least most|allow
    deny/forbid/prohibit|allowed denied/forbidden/prohibited|permit prohibit|always never|required/mandatory/compulsory
    optional/voluntary|first second third fourth fifth last|above/over below/under/within|if/when/provided/while evenif|oldest newest/latest|largest/biggest smallest|longest
    shortest|highest lowest|start stop|begin end|open/opened/opens close/closed/closes/shut|add
    remove/delete|with without|true false|more fewer/less|all none/some|every no|higher/greater lower/smaller|high low|faster slower|fast
    slow|internal external|public private|older newer|old new|early late|earlier later|inside outside|indoor/indoors
    outdoor/outdoors|free paid|include/includes/included exclude/excludes/excluded|accept reject/refuse|success
    failure|succeed fail|succeeds fails|large/big small|larger/bigger smaller|long short|longer shorter|hot cold|warm
    cool/cold|wet dry|up down|left right|top bottom|front back|strong weak|easy difficult/hard|cheap
    expensive|cheaper dearer|empty full|even odd|input output|read write|send receive|import export|encrypt
    decrypt|ascending descending|positive negative|upper lower|forward backward|client server|parent child|buy sell|win
    lose|safe dangerous|best worst|better worse|rise/rises/rose fall/falls/fell|north south east west|northern southern
    eastern western|spring summer autumn/fall winter|morning afternoon evening night|second/seconds minute/minutes
    hour/hours day/days week/weeks month/months year/years|hourly daily weekly monthly yearly/annually/annual|monday
    tuesday wednesday thursday friday saturday sunday|weekday/weekdays weekend/weekends|january february march april may
    june july august september october november december|millimetre/millimetres/mm centimetre/centimetres/cm
    metre/metres/meter/meters kilometre/kilometres/km mile/miles|gram/grams/g kilogram/kilograms/kg/kilo
    tonne/tonnes/ton|euro/euros dollar/dollars pound/pounds|byte/bytes bit/bits kilobyte/kb megabyte/mb gigabyte/gb|adult/adults/grown-ups
    child/children/kids|visitor/visitors/guest/guests resident/residents/inhabitants staff/employee/employees/keeper/keepers|user/users/visitor/visitors
    administrator/administrators/admin/admins|tenant/tenants landlord/landlords|customer/customers/buyer/buyers seller/sellers|teacher/teachers
    student/students/pupil/pupils|driver/drivers passenger/passengers|employer/employers employee/employees|member/members
    non-member/non-members|half whole/entire quarter double|phone/telephone online|gate online|bus/buses train/trains tram/trams
    bicycle/bicycles/bike/bikes car/cars|wood/wooden steel aluminium/aluminum plastic glass brass copper|man/men woman/women|brother sister|father mother|son daughter|red blue green yellow white black
    brown orange purple pink grey|/might|today tomorrow yesterday|local remote|static dynamic|single
    multiple/several|same different|synchronous asynchronous|lowercase uppercase|mutable immutable|shallow deep|horizontal
    vertical|width height|likely unlikely|possible impossible|valid invalid|safe unsafe|legal illegal|available
    unavailable|necessary unnecessary|known unknown|used unused|sorted unsorted|signed unsigned|equal unequal|supported unsupported`,
    negations: `not no non without never cannot cant none neither nor nothing nobody nowhere isnt arent dont doesnt wont didnt wasnt
    werent shouldnt mustnt couldnt wouldnt hasnt havent hadnt hardly`,
    softNegations: 'avoid refuse refuses fails fail lack lacks stop rather instead wait',
    paraphrases: `not: not allowed, not permitted, not possible, not welcome, not accepted, not available, not exist, not eligible, not suitable
      , not meant, must not, may not, cannot, can not, forbidden, prohibited, prohibits, banned, barred, disallowed, off limits, out of bounds
      , impossible, unavailable, sold out, out of stock, unable to, unable, unsuitable, no longer, not any more, not any longer, discontinued, exempt, missing, absent, cancelled, abolished, denied, denies, refused, refuses, rejected, rejects, declined, declines
      , apart from, except, except for, with the exception of, other than, but not, aside from, excluding, excluded
      |only: not ~ without, may not ~ without, must not ~ without, cannot ~ without, not allowed ~ without, never ~ without
      , not ~ until, cannot ~ until, may not ~ until, not ~ unless, cannot ~ unless, may not ~ unless, must not ~ unless, no one but, nobody but, nothing but, none but, solely, exclusively
      |must: not forget to
      |can: may, can, allowed to, allowed, permitted to, permitted, possible, able to, entitled to, free to, welcome to, welcome, eligible
      , not forbidden, not prohibited, not banned, not impossible
      |must: have to, need to, required to, obliged to, be sure to, required, compulsory, mandatory, obligatory, necessary
      |not must: not have to, not need to, not required to, need not, not required, not necessary, not needed, not compulsory
      , not mandatory, optional, voluntary, no need to, no need
      |if not: unless, except if, except when
      |evenif: even if, even when, even though, regardless of whether, whether or not, also if, also when, even without, regardless of
      |within: at most, at the most, no more than, not more than, no longer than, not longer than, no larger than, not larger than
      , no older than, not older than, no later than, not be older than, not be larger than, not be longer than, not be more than
      , not be higher than, not exceed, must not be older than, must not be larger than, must not be longer than, must not be more than
      , may not be older than, may not be larger than, may not be longer than, must not exceed, may not exceed, cannot exceed, up to, a maximum of, maximum of, maximum, limited to, or less, or fewer
      |over: at least, at the least, no less than, not less than, no fewer than, or more, or longer, or older, or earlier
      , a minimum of, minimum of, minimum
      |over: above, exceeding, more than, older than, larger than, longer than, greater than, higher than, bigger than, in excess of
      |under: below, less than, younger than, fewer than, shorter than, smaller than, lower than
      |not open: closed, shut
      |open: not closed, not close, not shut
      |near: close to
      |not include: left out, not covered
      |not valid: void, invalid, no longer valid, not in force
      |valid for: expire after, lapse after
      |not active: inactive, idle, inactivity, without use, without activity
      |not consider: ignore, ignores, ignored, disregard, disregards, disregarded, not take into account, not take ~ into account
      |not complete: incomplete
      |not correct: incorrect
      |not run: out of order, out of service, suspended, not work, not operate
      |not pay: waived, free, free of charge, no charge, at no cost, at no extra cost, at no charge, for free, without charge, cost nothing, pay nothing
      , not pay anything, not cost anything, not have to pay, complimentary, no fee
      |pay: pays, paying, paid, cost, costs, charge, charges, charged, fee, fees, price, prices
      |refund: money back
      |by default: unless you change it, unless changed, unless told otherwise, unless otherwise specified, unless specified otherwise
      , without further options, default
      |disable: turn ~ off, switch ~ off, deactivate, deactivates, deactivated
      |enable: turn ~ on, switch ~ on, activate, activates, activated
      |daily: every day, each day, per day
      |weekly: every week, each week, per week, once a week
      |monthly: every month, each month, per month, once a month
      |yearly: every year, each year, per year, once a year
      |half: 50 percent, 50 per cent
      |quarter: 25 percent, 25 per cent
      |15 minutes: quarter of an hour, a quarter of an hour
      |30 minutes: half an hour
      |60 minutes: an hour, one hour, 1 hour
      |14 days: two weeks, 2 weeks, fortnight
      |7 days: a week, one week, 1 week
      |not *ed: un*ed
      |not *able: un*able
      |not worn: unworn
      |not known: unknown
      |without *: *less`,
    finiteVerbs: 'is are was were be been has have had can must may will would should does do did cost costs',
    limits: {
      both: ['only', 'evenif'],
      wanted: ['within', 'over', 'under', 'before', 'after', 'until'],
      modes: ['must', 'can'],
    },
    reversals: ['un', 'in', 'im', 'ir', 'il', 'non', 'dis'],
    attribution: 'according',
    joiningWords: 'and but or while whereas which who because although so then',
    lightWords: `evenif strictly fully entirely stay stays remain remains bring brings carry reach arrive arrives turn turns begin begins start starts
    move moves leave leaves enter enters place places single exception additional further extra total somebody someone everybody
    euro euros pound pounds dollar dollars percent otherwise must may numerous frequently entire whole cost costs price priced pay pays paid charge fee use used using usage employ make made let lets allow provide provides offer offers give gives given take takes need
    needs require requires contain contains hold holds include includes show shows display displays get gets go goes come
    comes put puts keep keeps want wants like see look help helps work works serve serves create run execute set configure
    change modify consult refer referred mean means become becomes remain happen happens occur done called named known
    found find able available possible different certain various several many much some any each every both other
    another such also too very quite just simply only even still already again always usually generally typically often
    normally mainly mostly please note according documentation document documentation page site website source article guide
    text manual section information provided states stated mentions mentioned says say described describe describes explains
    example instance however therefore moreover furthermore additionally addition besides instead way ways thing things
    kind type sort part parts case cases time times number amount people person someone person anyone everyone user users visitor visitors
    currently now today then once first finally specifically particular especially well order specify specified following large big small little
    must has have own new long same more most less than around about approximately roughly nearly almost`,
    numberWords:
      'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    roundNumbers:
      'thirty 30 forty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90 hundred 100 thousand 1000 million 1000000 twice 2 dozen 12',
  },
};

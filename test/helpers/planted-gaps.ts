/** What a site does not say, in the words of three visitors each, and what it says when the gap is filled. */
export const PLANTED_GAPS = [
  {
    wordings: ['Can I bring my dog?', 'Am I allowed to bring a dog', 'bring dog'],
    answer: 'You can bring your dog to the outer park. Please bring a lead.',
  },
  {
    wordings: ['Is there parking for coaches?', 'parking coaches', 'Where is coach parking?'],
    answer: 'Parking for coaches is behind the north gate. Coaches book their parking by telephone.',
  },
  {
    wordings: ['Do you sell gift vouchers?', 'gift vouchers', 'Where can I buy a gift voucher?'],
    answer: 'We sell gift vouchers at the counter. Gift vouchers are good for three years.',
  },
  {
    wordings: ['How do I cancel my membership?', 'cancel membership', 'membership cancel how'],
    answer: 'You cancel your membership by letter. A membership that nobody cancels goes on for a year.',
  },
  {
    wordings: ['Are the toilets wheelchair accessible?', 'wheelchair accessible toilets', 'wheelchair toilets'],
    answer: 'The toilets beside the orchard are wheelchair accessible. No other toilets have room for a wheelchair.',
  },
  {
    wordings: ['What is the refund policy?', 'refund policy', 'your refund policy?'],
    answer: 'The refund policy is simple: a refund is paid within seven days.',
  },
  {
    wordings: ['Can I pay by card?', 'pay card', 'paying by card possible?'],
    answer: 'You can pay by card at every counter. To pay by card takes no minimum.',
  },
  {
    wordings: ['Is the café open on Mondays?', 'café open Mondays', 'open café Monday'],
    answer: 'The café is open on Mondays from May on. On other Mondays the café stays closed.',
  },
  {
    wordings: ['Do students get a discount?', 'student discount', 'discount for students?'],
    answer: 'Students get a discount of a third. The student discount needs a card.',
  },
  {
    wordings: ['Who designed the glasshouse?', 'designed glasshouse', 'glasshouse designer designed'],
    answer: 'The glasshouse was designed by Edda Krogh. She designed the glasshouse in 1911.',
  },
  {
    wordings: ['How tall is the old oak?', 'tall old oak', 'How tall does the old oak stand?'],
    answer: 'The old oak is 31 metres tall. No other oak is as old and tall.',
  },
  {
    wordings: ['When do the tulips bloom?', 'tulips bloom', 'tulip bloom time?'],
    answer: 'The tulips bloom in the last week of April. Late tulips bloom in May.',
  },
  {
    wordings: ['May we fly a drone?', 'fly drone', 'drone flying allowed?'],
    answer: 'You may fly a drone with a written permit. Nobody flies a drone over visitors.',
  },
  {
    wordings: ['Can I hire a barrow?', 'hire barrow', 'barrow hire'],
    answer: 'You can hire a barrow at the gate. The hire of a barrow costs 2 euros.',
  },
  {
    wordings: ['Is there a lost property office?', 'lost property office', 'lost property'],
    answer: 'The lost property office is in the gatehouse. Lost property is kept for a year.',
  },
  {
    wordings: ['Do you compost food waste?', 'compost food waste', 'food waste compost?'],
    answer: 'We compost food waste of the kitchen. Food waste takes a year to compost.',
  },
  {
    wordings: ['Are there lockers?', 'lockers', 'locker'],
    answer: 'There are lockers beside the entrance. The lockers take a coin.',
  },
  {
    wordings: ['Does the bus stop here on Sunday?', 'bus stop Sunday', 'Sunday bus stop'],
    answer: 'On Sunday the bus does stop here once an hour. The last bus on Sunday is at nine.',
  },
  {
    wordings: ['How much is a wedding?', 'wedding', 'weddings'],
    answer: 'A wedding costs 900 euros. The price of a wedding includes the pavilion.',
  },
  {
    wordings: ['Can schools book a tour?', 'schools book tour', 'school tour book'],
    answer: 'Schools can book a tour in term time. To book a school tour takes two weeks.',
  },
] as const;

import { daysOf, type LanguagePack } from './language-pack.ts';

export const FRENCH: LanguagePack = {
  code: 'fr',
  stopWords: `le la les l un une des du de d au aux ce cet cette ces cela ça c je j me m moi mon ma mes tu te t toi ton ta tes
    il elle on lui son sa ses se s soi nous notre nos vous votre vos ils elles eux leur leurs y en
    et ou mais donc ni que qu si comme lorsque puisque quand
    à dans par pour sans sur sous avec chez contre entre vers depuis pendant avant après dès jusque jusqu
    suis es est sommes êtes sont être étais était étaient sera serait soit ai as a avons avez ont avait avaient
    avoir aura aurait eu fait faire peut peuvent pouvoir doit doivent dois
    qui quoi dont où comment pourquoi combien quel quelle quels quelles ne n pas non là ici`,
  abbreviations: `m mm mme mlle env p.ex c.-à-d cf av apr bd boul tél janv févr juil sept oct nov déc art n° éd min`,
  definitionVerbs: 'est|sont|était|étaient|désigne|signifie|représente|permet|correspond à',
  injectionWords: {
    override: 'ignore*|ignorez|oublie*|oubliez|neglige*|contourne*|ne suis pas|ne suivez pas|outrepasse*',
    orders: 'instruction*|consigne*|regles|directive*|prompt|prompts|invite systeme|ordres',
    which: 'precedent*|anterieur*|toutes|tous|toute|tes|vos|ci dessus|initial*|autres|systeme|tout',
    agents: 'ia|modele de langage|modeles de langage|modele de langue|assistant ia|assistants ia|agent ia',
    address:
      'note a|note pour|note aux|message a|message pour|message aux|instructions pour|instruction pour|attention|attention aux|cher|chere|chers|a lattention des|tu es une|tu es un|vous etes une|vous etes un|a toute',
    demand: 'doit|doive|doivent|dois|devez|devrait|toujours|jamais|plutot|veuillez|sil vous plait',
    speech: 'repond*|dis|dites|dire|recommande*|inclu*|ajoute*|mentionn*|ecri*|affirm*|cite*|repet*|affiche*|ignore*',
    reveal: 'revele*|affiche*|montre*|repete*|imprime*|divulgue*|donne*|ecris',
    secrets:
      'prompt systeme|invite systeme|tes instructions|vos instructions|tes consignes|vos consignes|message systeme|prompt initial',
    control: 'commence*|termine*|finis|finissez|inclus|incluez|ajoute*|insere*|mentionne*|ecris|ecrivez|place*',
    answer: 'ta reponse|votre reponse|tes reponses|vos reponses|ton resume|votre resume|chaque reponse',
    request:
      'utilisateur demande|utilisateurs demandent|quelquun demande|on te demande|on vous demande|visiteur demande|resumes cette page|resumez cette page',
    tell: 'dis que|dites que|reponds que|repondez que|reponds par|repondez par|reponds seulement|repondez seulement|affirme que|affirmez que|recommande|recommandez',
    dictated:
      'chaque reponse|toute reponse|toutes les reponses|chaque resume|tout resume|votre reponse|ta reponse|toute mention|chaque mention|toute synthese|chaque synthese|dans les reponses|dans toute reponse',
    dictate:
      'nomm*|mentionn*|conten*|contien*|compren*|commenc*|debut*|finir|fini*|termin*|cit*|dire|dis|dites|ecri*|indiqu*|repet*|ecrit*|lire',
    occasion:
      'est mentionne|est mentionnee|est nomme|est nommee|est demande|est question de|qui repond|celui qui repond|ceux qui repondent|resume cette page',
    addressed: 'vous repondez|tu reponds|vous resumez|tu resumes|que tu donnes|que vous donnez|que vous allez donner',
    phrases:
      'reponds uniquement|repondez uniquement|dis le mot|dites le mot|desormais reponds|desormais repondez|a partir de maintenant reponds|a partir de maintenant tu|nouvelles instructions|mode developpeur|fais comme si tu|ne le dis pas a lutilisateur|ne mentionne pas cette instruction',
  },
  synonyms: `prix,coût,tarif,frais | téléphone,contact | supprimer,effacer,retirer | modifier,changer | créer,ajouter
    | acheter,commander | horaires,ouverture,ouvert | fondé,fondation,fondateur | maximum,maximal | minimum,minimal
    | activer,allumer | désactiver,éteindre | remboursement,retour | emploi,poste,carrière`,
  answers: {
    questions: {
      types: {
        number: '^combien|^a quelle frequence|^quel age|combien|maximum|minimum|prix|cout|nombre|numero|par defaut',
        date: '^quand|^depuis quand|^en quelle annee|^a quelle heure|^a quelle date|^quelle annee',
        person: '^qui|^de qui|^a qui|^par qui',
        place: '^ou|^d ou|^dans quel lieu|^a quel endroit',
        definition: `^qu est-ce que|^qu est-ce qu|^qu'est-ce que|^qu'est-ce qu|^que signifie|^que veut dire|^c est quoi|^c'est quoi|^quelle est la definition`,
        'how-to': '^comment|^de quelle maniere|^quelles etapes',
        why: '^pourquoi|^pour quelle raison|^quelle est la raison',
        'yes-no': `^est-ce que|^est-ce qu|^est-il|^est-elle|^puis-je|^peut-on|^peut|^y a-t-il|^faut-il|^dois-je|^doit-on|^avez-vous`,
      },
      asks: {
        phone: 'numero de telephone|telephone',
        email: 'adresse e-mail|adresse mail|adresse electronique|courriel',
        duration: '^combien de temps|^quelle est la duree',
        price: 'prix|cout|coute|coutent|tarif|tarifs|frais|^combien ~(?:paye|payer|paie|payons|facture)',
        weight: '^combien pese|^combien pesent|^quel est le poids',
        capacity: '^combien (?:contient|contiennent)|^quelle est la contenance',
        year: '^en quelle annee|^quelle annee|^quand a ete|^quand ont ete|^quand fut',
        time: 'a quelle heure|horaires',
        count: '^combien de|^combien|^a quelle frequence|^quel age',
        person: '^qui est|^qui a|^qui etait|^qui sont|^qui fut',
      },
      small: `faire fait trouver aller venir utiliser utilise avoir besoin commencer ouvrir marcher fonctionne possible bon
      nouveau toujours sorte type difference beaucoup souvent longtemps existe s'il plait
      peux pouvons pouvez devons devez veux veut voulez faut`,
      polite: `s'il vous plait|pouvez-vous me dire|peux-tu me dire|je voudrais savoir|dites-moi`,
    },
    answerSigns: {
      numbers: `un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|cent|cents|mille|million|millions
      |plusieurs|aucun|aucune|chaque|quotidien|hebdomadaire|mensuel|demi|fois|heure|siecle`,
      months: 'janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|siecle',
      places: 'a|au|aux|dans|en|sur|sous|pres|rue|place|dossier|repertoire|fichier',
      reasons: 'parce que|car|puisque|raison|afin|pour que|donc|en raison|grace a|a cause',
      steps:
        'utiliser|utilisez|cliquer|cliquez|selectionner|selectionnez|ouvrir|ouvrez|ajouter|peut|pouvez|doit|devez|faut',
      verdicts: 'oui|non|ne|pas|peut|peuvent|est|sont|seulement|uniquement|doit|doivent',
      free: 'gratuit|gratuite|gratuits|gratuitement|sans frais',
    },
    wordings: {
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
    intents: {
      hours: {
        wanted: "(?:quand|a quelle heure) ~(?:ouvert|ouverte|ouvre|ouvrent|ferme|ferment)|horaires|heures d'ouverture",
        names: 'ouvert ouverte ouvre ouvrent ferme ferment horaires ouverture',
        words: 'ouvert horaires fermé',
        times: daysOf('lundi mardi mercredi jeudi vendredi samedi dimanche', 'jours jour'),
      },
      way: {
        wanted:
          "comment (?:aller|venir|se rendre|arriver) ~(?:a|au|aux|chez)|comment y aller|ou se trouve (?:le|la) (?:jardin|musee)|plan d'acces",
        names: 'acces',
        words: 'adresse accès tram bus gare train parking vélo métro voiture',
      },
      price: {
        wanted: 'combien coute|combien coutent|quel est le prix|quel est le tarif|tarifs',
        names: 'coute coutent prix tarif tarifs',
        words: 'prix tarif adulte',
      },
      contact: {
        wanted: 'numero de telephone|comment (?:vous|nous) ~(?:contacter|joindre)|adresse e-mail|adresse mail',
        names: 'telephone numero contacter joindre',
        words: 'contact téléphone',
      },
    },
    followUps: {
      refers: 'elle ils elles lui leur cela ça celui celle ceux celles cet cette ces même ensuite',
      refersLast: 'il le la les en y autre autres aussi',
      opens: "et|mais|ou|donc|aussi|qu'en est-il|pourquoi pas",
      nounStandIns: '',
      determiners: 'le la les l un une des du mon ma mes notre nos votre vos leur leurs son sa ses ce cet cette ces',
      auxiliaries: 'puis peux peut pouvons pouvez peuvent dois doit devons devez doivent faut est-ce',
      copulas: 'est sont était étaient sera',
      joins: 'de du des d',
      mainVerb: 'behind-subject',
    },
    imperatives: {
      verbs: `appelle telephone ecris envoie visite va viens vois regarde ouvre clique appuie tape entre remplis inscris
      connecte telecharge installe lance copie colle paie paye verse commande achete reserve demande dis donne partage
      reponds suis utilise essaie note verifie confirme fais prends garde ignore oublie ajoute supprime repete
      mentionne cite recommande lis choisis montre`,
      openers: 'veuillez maintenant puis ensuite simplement aussi toujours jamais et donc ne d abord',
      forms: /^(?!(?:chez|assez|nez|vous)\b)\p{L}{2,}ez\b/u,
    },
    dependentOpeners: `il|elle|ils|elles|ce|cet|cette|ces|cela|ça|celui-ci|celle-ci|ceux-ci|leur|leurs|et|mais|ou|donc|alors|ainsi|ensuite
    |puis|aussi|cependant|toutefois|sinon|de plus|en outre|par exemple|dans ce cas|les deux|les autres`,
    exclusiveWords: `activer désactiver|activé désactivé|augmenter diminuer/réduire|avant après|minimum maximum|autorisé interdit|permis
    interdit|toujours jamais|obligatoire facultatif|premier/première dernier/dernière|dessus dessous|ouvert fermé|ouvre
    ferme|début fin|commence finit/termine|ajouter supprimer/retirer|vrai faux|plus moins|tous/toutes aucun/aucune|rapide
    lent|public privé|ancien nouveau|tôt tard|intérieur extérieur|gratuit payant|inclus exclu|grand petit|long
    court|chaud froid|humide sec|gauche droite|haut bas|fort faible|facile difficile|cher bon|vide plein|été hiver
    printemps automne|matin midi soir nuit|seconde/secondes minute/minutes heure/heures jour/jours semaine/semaines mois
    an/ans/année/années|quotidien hebdomadaire mensuel annuel|lundi mardi mercredi jeudi vendredi samedi dimanche|janvier
    février mars avril mai juin juillet août septembre octobre novembre décembre|nord sud est ouest|avec sans|adulte/adultes
    enfant/enfants|possible impossible|valide invalide`,
    negations: 'pas jamais aucun aucune ni rien personne nulle nul',
    softNegations: 'sans impossible interdit interdite interdits interdites sauf éviter exclu exclus exclue',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['in', 'im', 'ir', 'il', 'non', 'dé', 'dés', 'mal'],
    attribution: 'selon',
    joiningWords: 'et mais ou tandis car qui',
    lightWords: `coûter coûte coûtent prix payer paient utiliser faire laisser offrir offre proposer propose donner donne prendre besoin contenir contient montrer trouver trouve
    situe aller venir obtenir recevoir garder aider selon documentation page site source article texte informations aussi
    très seulement encore déjà toujours souvent généralement veuillez note exemple cependant donc environ différents plusieurs
    autres possible disponible personne personnes visiteurs chaque permet`,
    numberWords: 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    roundNumbers: 'vingt 20 trente 30 quarante 40 cinquante 50 soixante 60 cent 100 mille 1000',
  },
};

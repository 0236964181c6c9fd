import type { LanguagePack } from './language-pack.ts';

export const PORTUGUESE: LanguagePack = {
  code: 'pt',
  stopWords: `o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa dum duma
    este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
    eu me mim meu minha meus minhas tu te ti teu tua ele ela se si seu sua seus suas nós nosso nossa nossos nossas
    vós você vocês eles elas lhe lhes
    e ou mas nem que porque pois como embora enquanto quando
    de em por para com sem sobre sob entre até desde após contra durante ante perante
    sou és é somos são era eram foi foram ser sido seja estou está estão estava estar tem têm tinha ter há havia
    pode podem deve devem
    quem qual quais onde quanto quantos não ali aqui`,
  abbreviations: `sr sra srta dr dra p.ex pág págs art núm tel aprox av ex exmo etc v.g`,
  definitionVerbs: 'é|são|era|eram|significa|refere-se a|designa|representa|permite|consiste em',
  injectionWords: {
    override: 'ignor*|esquec*|desconsider*|descart*|desrespeit*|nao siga*|contorn*',
    orders: 'instruc*|orientac*|regras|diretriz|diretrizes|prompt|prompts|ordens|comandos',
    which: 'anterior*|previa*|todas|todos|suas|tuas|acima|inicia*|sistema|outras|quaisquer',
    agents:
      'ia|modelo de linguagem|modelos de linguagem|assistente de ia|assistentes de ia|agente de ia|inteligencia artificial',
    address:
      'nota para|nota a|mensagem para|mensagem a|instrucoes para|instrucao para|atencao|cara|caro|voce e uma|voce e um|se voce e uma|es uma|es um',
    demand: 'deve|tem que|tem de|devem|deves|deveria*|sempre|nunca|por favor|em vez disso',
    speech: 'respond*|diga|digam|dizer|diz|recomend*|inclu*|adicion*|mencion*|escrev*|afirm*|cite|repit*|repet*|ignor*',
    reveal: 'revel*|mostr*|repita|repete|imprim*|divulg*|escreva|exib*',
    secrets:
      'prompt do sistema|prompt de sistema|suas instrucoes|tuas instrucoes|mensagem do sistema|suas regras|prompt inicial|prompt original',
    control: 'comec*|termin*|inclua|adicion*|acrescent*|insira|escreva|mencion*|finaliz*',
    answer: 'sua resposta|tua resposta|suas respostas|seu resumo|cada resposta|toda resposta',
    request:
      'usuario perguntar|usuario pergunta|usuarios perguntarem|utilizador perguntar|alguem perguntar|alguem pergunta|te perguntarem|visitante perguntar|resumir esta pagina',
    tell: 'diga que|responda que|responda com|responda apenas|afirme que|recomende',
    dictated:
      'cada resposta|toda resposta|todas as respostas|qualquer resposta|cada resumo|todo resumo|sua resposta|tua resposta|toda mencao|cada mencao|toda sintese|nas respostas|nos resumos',
    dictate: 'nome*|mencion*|cont*|comec*|termin*|acab*|cit*|dizer|diga|diz|escrev*|inclu*|repet*|repit*|escrit*|ler*',
    occasion:
      'for mencionado|for mencionada|e mencionado|e mencionada|se pergunta|se perguntar|quem responde|quem responder',
    addressed: 'ao responder|ao resumir|voce responde|voce responder|que voce da|que vai dar|que voce dara',
    phrases:
      'responda apenas com|responda somente com|responda unicamente|diga a palavra|a partir de agora responda|de agora em diante responda|a partir de agora voce|novas instrucoes|modo desenvolvedor|finja que|finja ser|nao conte ao usuario|nao diga ao usuario|nao mencione esta instrucao',
  },
  synonyms: `preço,custo,tarifa,taxa | telefone,contato,contacto | excluir,apagar,remover | modificar,alterar,mudar
    | criar,adicionar | comprar,encomendar | horário,aberto,abertura | fundado,fundação,fundador`,
  answers: {
    questions: {
      types: {
        number:
          '^quanto|^quanta|^quantos|^quantas|^com que frequencia|^por quanto|quantos|quantas|quanto|maximo|minimo|preco|numero|padrao',
        date: '^quando|^desde quando|^em que ano|^que ano|^a que horas|^em que data|^em qual ano',
        person: '^quem|^de quem|^por quem|^a quem',
        place: '^onde|^aonde|^de onde|^em que lugar',
        definition: '^o que e|^o que sao|^que e|^o que significa|^o que quer dizer|^o que era',
        'how-to': '^como|^de que maneira|^quais passos|^quais os passos',
        why: '^por que|^porque|^por que razao|^qual e a razao|^qual o motivo',
        'yes-no': '^e|^sao|^posso|^pode|^podem|^ha|^tenho de|^devo|^existe|^esta|^tem|^e possivel',
      },
      asks: {
        phone: 'numero de telefone|telefone',
        email: 'endereco de e-mail|endereco de email|correio eletronico',
        duration: '^quanto (?:dura|duram|demora|demoram|tempo)',
        price:
          'preco|precos|custa|custam|custo|tarifa|tarifas|taxa|taxas|^quanto ~(?:paga|pago|pagar|pagamos|cobra|cobram)',
        weight: '^quanto pesam?|^qual e o peso',
        capacity: '^quanto (?:cabe|contem)',
        year: '^em que ano|^em qual ano|^que ano|^quando foi|^quando foram',
        time: 'a que horas|horario|horarios',
        count:
          '^quantos|^quantas|^quanto tempo|^com que frequencia|^quanto leva|^quanto levam|^quanto consome|^quanto gasta',
        person: '^quem e|^quem foi|^quem sao|^quem era|^quem fundou|^quem escreveu',
      },
      small: `fazer faco faz encontrar ir vir usar utilizar precisar preciso comecar abrir funciona possivel bom novo sempre
      tipo diferenca muito muitos tempo favor existe serve
      posso podes devo tenho tens temos quero queres`,
      polite: 'por favor|pode me dizer|podes dizer-me|gostaria de saber|diga-me',
    },
    answerSigns: {
      numbers: `um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|vinte|cem|cento|mil|milhao|milhoes
      |varios|varias|nenhum|nenhuma|cada|diario|semanal|mensal|meio|vez|vezes|hora|seculo`,
      months: 'janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|seculo',
      places: 'em|no|na|nos|nas|ao|sobre|sob|perto|rua|praca|pasta|diretorio|arquivo|ficheiro',
      reasons: 'porque|pois|ja que|razao|motivo|para que|portanto|devido|por causa|gracas a',
      steps: 'use|usar|utilize|utilizar|clique|clicar|selecione|selecionar|abra|abrir|adicione|pode|deve|precisa',
      verdicts: 'sim|nao|pode|podem|e|sao|so|somente|apenas|deve|devem',
      free: 'gratis|gratuito|gratuita|gratuitamente|sem custo',
    },
    wordings: undefined,
    intents: undefined,
    followUps: {
      refers: 'ele ela eles elas lhe isto isso este esta esse essa mesmo mesma',
      refersLast: 'o a os as ali lá outro outra também depois',
      opens: 'e|mas|ou|então|também|e quanto a|que tal|por que não',
      nounStandIns: '',
      determiners: 'o a os as um uma meu minha meus minhas nosso nossa seu sua este esta esse essa',
      auxiliaries: 'posso pode podemos podem devo deve devemos devem',
      copulas: 'é são está estão era foi',
      joins: 'de do da dos das',
      mainVerb: 'behind-auxiliary',
    },
    imperatives: {
      verbs: `ligue liga escreva escreve envie envia mande manda visite visita venha vem veja ve olhe abra abre clique
      clica carregue prima pressione digite introduza insira preencha registe registre entre descarregue baixe instale
      execute copie cole pague transfira peca compre reserve pergunte diga de partilhe compartilhe responda siga use
      utilize tente lembre verifique confirme faca tome ignore esqueca adicione acrescente remova elimine repita mencione
      cite recomende leia escolha mostre consulte`,
      openers: 'por favor agora depois simplesmente tambem sempre nunca primeiro e nao',
    },
    dependentOpeners: `ele|ela|eles|elas|este|esta|estes|estas|isto|esse|essa|isso|e|mas|ou|então|depois|além disso|também|porém|contudo|por
    isso|assim|ambos|ambas|por exemplo|neste caso|os outros|as outras`,
    exclusiveWords: `ativar desativar|ativado desativado|aumentar diminuir/reduzir|antes depois/após|mínimo máximo|permitido
    proibido|sempre nunca|obrigatório opcional|primeiro/primeira último/última|acima abaixo|aberto fechado|abre
    fecha|início fim|começa termina|adicionar remover|verdadeiro falso|mais menos|todos/todas nenhum/nenhuma|rápido
    lento|público privado|velho novo|cedo tarde|dentro fora|interno externo|grátis/gratuito pago|incluído excluído|grande
    pequeno|longo curto|quente frio|úmido/húmido seco|esquerda direita|alto baixo|forte fraco|fácil difícil|caro
    barato|vazio cheio|verão inverno primavera outono|manhã tarde noite|segundo/segundos minuto/minutos hora/horas dia/dias
    semana/semanas mês/meses ano/anos|diário semanal mensal anual|segunda terça quarta quinta sexta sábado
    domingo|janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|norte sul leste
    oeste|com sem|adulto/adultos criança/crianças|possível impossível|válido inválido`,
    negations: 'não nunca jamais nenhum nenhuma nem nada ninguém tampouco',
    softNegations: 'sem impossível proibido proibida proibidos proibidas exceto salvo evitar excluído',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['in', 'im', 'ir', 'i', 'des'],
    attribution: 'segundo',
    joiningWords: 'e mas ou enquanto porque',
    lightWords: `custar custa custam preço pagar pagam usar utilizar fazer deixar oferecer oferece dar tomar precisar precisa conter contém mostrar encontrar encontra ir vir obter
    receber manter ajudar segundo acordo documentação página site fonte artigo texto informações também muito apenas ainda já sempre
    frequentemente geralmente favor nota exemplo entanto além aproximadamente diferentes vários outros possível disponível pessoa
    pessoas visitantes cada permite`,
    numberWords:
      'dois|duas três quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte',
    roundNumbers: 'trinta 30 quarenta 40 cinquenta 50 sessenta 60 setenta 70 oitenta 80 noventa 90 cem 100 mil 1000',
  },
};

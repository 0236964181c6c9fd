import { daysOf, type LanguagePack } from './language-pack.ts';

export const SPANISH: LanguagePack = {
  code: 'es',
  stopWords: `el la los las lo un una unos unas del al este esta esto estos estas ese esa eso esos esas aquel aquella
    yo me mi mis mí tú te tu tus ti él ella ello se su sus sí nosotros nosotras nos nuestro nuestra nuestros nuestras
    vosotros os vuestro vuestra usted ustedes ellos ellas les le
    y e o u pero sino ni que porque pues si como aunque mientras cuando
    a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras
    soy eres es somos son era eran fue fueron ser sido sea estoy está están estaba estar he ha han había haber hay
    tiene tienen puede pueden poder debe deben
    qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos no donde quien cual allí aquí`,
  abbreviations: `sr sra srta dra d dña ud uds p.ej pág págs art núm tel aprox av avda c.c ej ee.uu dto`,
  definitionVerbs: 'es|son|era|eran|significa|se refiere a|designa|representa|permite|consiste en',
  injectionWords: {
    override: 'ignora*|ignore|ignoren|olvida*|olvide|olviden|descarta*|descarte|omite|omita|desobedec*|no sigas',
    orders: 'instruccion*|indicacion*|reglas|directriz|directrices|prompt|prompts|ordenes|normas',
    which: 'anterior*|previa*|previo*|todas|todos|tus|sus|arriba|inicial*|sistema|otras|toda',
    agents:
      'ia|modelo de lenguaje|modelos de lenguaje|modelo linguistico|asistente de ia|asistentes de ia|agente de ia',
    address:
      'nota para|nota a|mensaje para|mensaje a|instrucciones para|instruccion para|atencion|atencion a|querida|estimada|eres una|eres un|si eres una|si eres un|usted es una',
    demand: 'debe|deben|debes|deberia*|siempre|nunca|por favor|en su lugar|tiene que|tienen que',
    speech:
      'respond*|di|diga|digan|decir|recomiend*|recomendar|incluy*|incluir|anad*|mencion*|escrib*|afirm*|cita|repit*|ignora*',
    reveal: 'revela*|revele|muestra*|muestre|repite|repita|imprime|divulga*|ensena|escribe',
    secrets:
      'prompt del sistema|prompt de sistema|tus instrucciones|sus instrucciones|mensaje del sistema|tus reglas|prompt inicial|prompt original',
    control: 'empieza*|comienza*|termina*|incluye|incluya|anade|anada|agrega|agregue|inserta|escribe|menciona|finaliza',
    answer: 'tu respuesta|su respuesta|tus respuestas|sus respuestas|tu resumen|su resumen|cada respuesta',
    request:
      'usuario pregunta|usuario pregunte|usuarios pregunten|usuarios preguntan|alguien pregunta|alguien pregunte|te preguntan|te pregunten|visitante pregunta|resumas esta pagina',
    tell: 'di que|diga que|responde que|responda que|responde con|responda con|responde solo|afirma que|recomienda|recomiende',
    dictated:
      'cada respuesta|toda respuesta|todas las respuestas|cada resumen|todo resumen|su respuesta|tu respuesta|toda mencion|cada mencion|toda sintesis|en las respuestas|en los resumenes',
    dictate:
      'nombr*|mencion*|conten*|conteng*|contien*|empez*|empiez*|comenz*|comienz*|termin*|acab*|cit*|decir|diga*|di|escrib*|inclu*|repet*|repit*|llev*|escrit*|leer*',
    occasion:
      'se mencione|se menciona|se nombre|se nombra|se pregunte|se pregunta|quien responda|quien responde|quienes respondan|resuma esta',
    addressed: 'al responder|al resumir|usted responda|respondas|que das|que vas a dar|que va a dar',
    phrases:
      'responde unicamente|responde solamente con|responde solo con|di la palabra|a partir de ahora responde|de ahora en adelante responde|a partir de ahora eres|nuevas instrucciones|modo desarrollador|finge que eres|no se lo digas al usuario|no menciones esta instruccion',
  },
  synonyms: `precio,coste,costo,tarifa | teléfono,contacto | borrar,eliminar,quitar | modificar,cambiar | crear,añadir
    | comprar,pedir | horario,abierto,apertura | fundado,fundación,fundador | reembolso,devolución | empleo,trabajo`,
  answers: {
    questions: {
      types: {
        number:
          '^cuanto|^cuanta|^cuantos|^cuantas|^con que frecuencia|cuantos|cuantas|cuanto|maximo|minimo|precio|numero|por defecto',
        date: '^cuando|^desde cuando|^en que ano|^que ano|^a que hora|^en que fecha',
        person: '^quien|^quienes|^de quien|^a quien|^por quien',
        place: '^donde|^adonde|^de donde|^en que lugar',
        definition: '^que es|^que son|^que significa|^que quiere decir|^a que se llama|^que era',
        'how-to': '^como|^de que manera|^que pasos',
        why: '^por que|^cual es la razon|^a que se debe',
        'yes-no': '^es|^son|^puedo|^puede|^se puede|^hay|^tengo que|^debo|^esta|^estan|^existe|^tiene',
      },
      asks: {
        phone: 'numero de telefono|telefono',
        email: 'correo electronico|direccion de correo|email',
        duration: '^cuanto (?:dura|duran|tarda|tardan|tiempo)',
        price:
          'precio|precios|cuesta|cuestan|coste|costo|tarifa|tarifas|^cuanto ~(?:paga|pago|pagar|pagamos|cobra|cobran)',
        weight: '^cuanto pesan?|^cual es el peso',
        capacity: '^cuanto (?:contiene|contienen|cabe)',
        year: '^en que ano|^que ano|^cuando fue|^cuando fueron|^cuando se',
        time: 'a que hora|horario|horarios',
        count: '^cuantos|^cuantas|^cuanto tiempo|^con que frecuencia|^cuanto',
        person: '^quien es|^quien fue|^quienes son|^quien fundo|^quien escribio|^quien era',
      },
      small: `hacer hago hace encontrar ir venir usar utilizar necesitar necesito empezar abrir funciona posible bueno nuevo
      siempre tipo clase diferencia mucho muchos tiempo favor existe sirve
      hemos habeis puedo puedes podemos podeis debo debes tengo tienes quiero quieres`,
      polite: 'por favor|puede decirme|puedes decirme|quisiera saber|me gustaria saber|dime',
    },
    answerSigns: {
      numbers: `un|una|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|cientos|mil|millon|millones
      |varios|varias|ningun|ninguna|cada|diario|semanal|mensual|medio|vez|veces|hora|siglo`,
      months: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|siglo',
      places: 'en|a|al|desde|sobre|bajo|cerca|calle|plaza|carpeta|directorio|archivo',
      reasons: 'porque|ya que|razon|para que|por lo tanto|debido|a causa|gracias a|puesto que',
      steps: 'use|usar|utilice|utilizar|haga|seleccione|seleccionar|abra|abrir|agregue|puede|debe|tiene que|hay que',
      verdicts: 'si|no|puede|pueden|es|son|solo|solamente|debe|deben|esta|estan',
      free: 'gratis|gratuito|gratuita|sin coste|sin costo',
    },
    wordings: undefined,
    intents: {
      hours: {
        wanted: '(?:cuando|a que hora) ~(?:abierto|abierta|abre|abren|cierra|cierran)|horario|horarios',
        names: 'abierto abierta abre abren cierra cierran horario horarios',
        words: 'abierto horario cerrado',
        times: daysOf('lunes martes miercoles jueves viernes sabado sabados domingo domingos', 'diario días'),
      },
      way: {
        wanted: 'como (?:llegar|llego|se llega|ir|voy) ~(?:a|al|hasta)|donde (?:esta|queda) el (?:jardin|museo)',
        names: 'llegar llego',
        words: 'dirección tranvía autobús estación tren aparcamiento bicicleta metro coche',
      },
      price: {
        wanted: 'cuanto cuesta|cuanto cuestan|cuanto vale|precio de',
        names: 'cuesta cuestan precio precios',
        words: 'precio cuesta adulto',
      },
      contact: {
        wanted: 'numero de telefono|como (?:contactar|contacto|puedo contactar)|correo electronico',
        names: 'telefono numero contactar contacto',
        words: 'contacto teléfono',
      },
    },
    followUps: {
      refers: 'ella ellos ellas esto eso este esta estos estas ese esa aquello mismo misma',
      refersLast: 'él lo la los las le les allí otro otra también después',
      opens: 'y|pero|o|entonces|también|qué tal|qué pasa con|por qué no',
      nounStandIns: '',
      determiners:
        'el la los las un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta ese esa',
      auxiliaries: 'puedo puedes puede podemos pueden debo debe debemos deben',
      copulas: 'es son está están era fue',
      joins: 'de del',
      mainVerb: 'behind-auxiliary',
    },
    imperatives: {
      verbs: `llama llame escribe escriba envia envie manda mande visita visite ve vaya ven venga mira mire abre abra pulsa
      pulse haz haga teclea introduce introduzca rellena rellene registra registrese inicia inicie descarga descargue
      instala instale ejecuta ejecute copia copie pega pegue paga pague transfiere transfiera pide pida compra compre
      reserva reserve pregunta pregunte di diga da comparte comparta responde responda sigue siga usa use utiliza
      utilice prueba pruebe recuerda recuerde comprueba compruebe confirma confirme toma tome ignora ignore olvida
      olvide anade anada elimina elimine repite repita menciona mencione cita cite recomienda recomiende lee lea elige
      elija muestra muestre consulta consulte`,
      openers: 'por favor ahora luego despues simplemente tambien siempre nunca primero y no',
    },
    dependentOpeners: `él|ella|ellos|ellas|este|esta|estos|estas|esto|ese|esa|eso|esos|esas|y|pero|o|entonces|luego|después|además|también|sin
    embargo|por lo tanto|por eso|así|ambos|ambas|por ejemplo|en este caso|los demás|otros|otras`,
    exclusiveWords: `activar desactivar|activado desactivado|aumentar disminuir/reducir|antes después|mínimo máximo|permitido
    prohibido|permite prohíbe|siempre nunca|obligatorio opcional/voluntario|primero/primera/primer último/última|encima
    debajo|abierto cerrado|abre cierra|inicio fin|empieza termina|añadir eliminar/quitar|verdadero falso|más menos|todos/todas
    ninguno/ninguna|rápido lento|público privado|viejo nuevo|temprano tarde|dentro fuera|interior exterior|gratis/gratuito
    pago|incluido excluido|grande pequeño|largo corto|caliente frío|húmedo seco|izquierda derecha|alto bajo|fuerte débil|fácil
    difícil|caro barato|vacío lleno|verano invierno primavera otoño|segundo/segundos minuto/minutos hora/horas día/días
    semana/semanas mes/meses año/años|diario semanal mensual anual|lunes martes miércoles jueves viernes sábado/sábados
    domingo/domingos|enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre|norte sur
    este oeste|con sin|adulto/adultos niño/niños|posible imposible|válido inválido`,
    negations: 'no nunca jamás ningún ninguna ninguno ni nada nadie tampoco',
    softNegations: 'sin imposible prohibido prohibida prohibidos prohibidas salvo excepto evitar excluido',
    paraphrases: undefined,
    finiteVerbs: undefined,
    limits: undefined,
    reversals: ['in', 'im', 'ir', 'i', 'des'],
    attribution: 'según',
    joiningWords: 'y e pero o mientras porque',
    lightWords: `costar cuesta cuestan precio pagar pagan usar utilizar hacer dejar ofrecer ofrece dar da tomar necesitar necesita contener contiene mostrar encontrar encuentra
    ir venir obtener recibir mantener ayudar según documentación página sitio fuente artículo texto información también muy solo
    todavía ya siempre menudo generalmente favor nota ejemplo embargo además aproximadamente diferentes varios otros posible
    disponible persona personas visitantes cada permite`,
    numberWords:
      'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
    roundNumbers: 'treinta 30 cuarenta 40 cincuenta 50 sesenta 60 setenta 70 ochenta 80 noventa 90 cien 100 mil 1000',
  },
};

import { describe, expect, test } from 'vitest';
import { extractHtml } from '../../helpers/extract-html.ts';

const wallOf = async (html: string) => (await extractHtml(html)).robotWall;
const say = (heading: string, ...texts: readonly string[]) =>
  `<title>${heading}</title><h1>${heading}</h1>${texts.map((text) => `<p>${text}</p>`).join('')}`;

describe('a page that keeps robots out is told by its few sentences', () => {
  test.each([
    [
      'a bar',
      say('Entry refused', 'Please prove that you are a person. Press and hold the bar below until it is full.'),
    ],
    ['a heading alone', say('site.example', 'Verify you are human. Complete the security check to continue.')],
    ['a picture', say('Robot check', 'Enter the characters you see below.', '<input name="captcha_code">')],
    ['a widget', say('Security check', 'Please verify that you are not a robot.', '<div class="g-recaptcha"></div>')],
    [
      'an accusation',
      say('Access denied', 'We have detected unusual traffic from your network.', 'Ray ID: 8f3a9c11d2'),
    ],
    ['German', say('Sicherheitsüberprüfung', 'Bitte bestätigen Sie, dass Sie ein Mensch sind.')],
    ['French', say('Vérification de sécurité', 'Veuillez confirmer que vous n’êtes pas un robot.')],
    ['Spanish', say('Acceso denegado', 'Por favor, verifique que usted no es un robot.')],
    ['Italian', say('Controllo di sicurezza', 'Conferma di non essere un robot.')],
    ['Portuguese', say('Verificação de segurança', 'Confirme que você não é um robô.')],
    ['Dutch', say('Toegang geweigerd', 'Bevestig dat u geen robot bent.')],
    ['Polish', say('Weryfikacja bezpieczeństwa', 'Potwierdź, że nie jesteś robotem.')],
    ['Swedish', say('Säkerhetskontroll', 'Bekräfta att du inte är en robot.')],
    ['Russian', say('Вы не робот?', 'Подтвердите, что запросы отправляли вы, а не робот.')],
    ['Turkish', say('Güvenlik kontrolü', 'Devam etmek için robot olmadığınızı doğrulayın.')],
    ['Japanese', say('セキュリティチェック', 'ロボットではないことを確認してください。')],
    ['Chinese', say('安全验证', '请完成验证后继续访问。')],
    ['Korean', say('접근 차단', '로봇이 아님을 확인해 주세요.')],
  ])('%s', async (_, html) => {
    expect(await wallOf(html)).toBe('phrases');
  });
});

describe('a page that keeps robots out is told by the markup of its vendor', () => {
  test.each([
    ['Cloudflare', '<title>Just a moment...</title><script>window._cf_chl_opt={cType:"managed"}</script>'],
    ['Imperva', '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&amp;incident_id=7-1"></iframe>'],
    ['DataDome', '<script src="https://ct.captcha-delivery.com/c.js"></script><p>site.example</p>'],
    ['HUMAN', '<div id="px-captcha"></div>'],
    ['Akamai', '<meta http-equiv="refresh" content="5; URL=/?bm-verify=AAQA">'],
    ['AWS WAF', '<script>window.gokuProps = {"key":"A"}</script>'],
    ['Sucuri', '<title>You are being redirected...</title><script>sucuri_cloudproxy_js=1</script>'],
    ['DDoS-Guard', '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>'],
    ['Alibaba Cloud', '<script>var arg1="3A";document.cookie="acw_sc__v2="+arg1</script>'],
    [
      'Anubis',
      `${say('Making sure you’re not a bot!')}<script id="anubis_challenge" type="application/json">{}</script>`,
    ],
  ])('%s', async (vendor, html) => {
    const { robotWall, trace } = await extractHtml(html);

    expect(robotWall).toBe(vendor);
    expect(trace.notes).toContain(`keeps robots out (${vendor})`);
  });
});

const MENU = Array.from({ length: 8 }, (_, i) => `<a href="/${i}">Part ${i}</a>`).join(' ');
const FORM = '<form><input name="name"><input type="email" name="mail"><div class="g-recaptcha"></div></form>';

describe('no such page is', () => {
  test.each([
    [
      'an article about captchas',
      say(
        'How captchas work',
        'Sites ask visitors to verify that they are human, and to complete a challenge. '.repeat(9),
        'Press and hold is one of them. Please verify you are human, it says above the bar. '.repeat(9),
      ),
    ],
    [
      'a short text about captchas',
      say(
        'Captcha',
        'A captcha asks visitors to prove that they are human. Most say “Please verify you are human” and show a box.',
      ),
    ],
    [
      'a short question about them',
      say(
        'Why do I have to verify that I am human?',
        'If our system finds unusual traffic it may ask you to complete a captcha. It takes a few seconds.',
      ),
    ],
    ['a page of a site, by its menu', `${MENU}${say('Access denied', 'Please verify that you are a human.')}`],
    ['a contact form', `${say('Contact', 'Please confirm that you are not a robot.')}${FORM}`],
    [
      'a newsletter',
      `${say('News by mail', 'Confirm you are not a robot.')}<input type=email name=mail>${'<div class="h-captcha"></div>'}`,
    ],
    ['a page that refuses a visitor', say('Access denied', 'This page is for members of the club.')],
    [
      'a page that asks for consent',
      say('Your privacy', 'We and 812 partners store cookies on your device. Accept all of them.'),
    ],
    [
      'a page of an application',
      '<div id="root"></div><script src="https://www.google.com/recaptcha/api.js"></script>',
    ],
    ['a page that needs scripts', '<noscript>Please enable JavaScript to continue.</noscript><div id="root"></div>'],
    [
      'a page with the script of a protected site',
      '<p>Open daily.</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
    ],
    ['an empty page', ''],
  ])('%s', async (_, html) => {
    expect(await wallOf(html)).toBeUndefined();
  });
});

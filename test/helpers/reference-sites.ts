import { nameOf } from './generated-sites.ts';
import { ownText, wordOf } from './trap-site.ts';

/** Documentation of a library as a generator writes it, and which page its own index names for each name, by kind. */
export type ReferenceSite = {
  /** Bytes by path below the site. */
  readonly pages: ReadonlyMap<string, Uint8Array>;
  readonly names: Readonly<Record<string, readonly { readonly name: string; readonly page: string }[]>>;
};

type Class = {
  readonly at: number;
  readonly name: string;
  readonly folder: string;
  readonly methods: readonly string[];
};

const FOLDERS = ['yard', 'harbour', 'rigging', 'crew'];
const CLASSES = 24;
const METHODS = 5;
const VERBS = ['moor', 'mend', 'fold', 'hoist', 'weigh'];

const classes: readonly Class[] = Array.from({ length: CLASSES }, (_, at) => ({
  at,
  name: nameOf(at),
  folder: FOLDERS[at % FOLDERS.length] ?? '',
  methods: Array.from({ length: METHODS }, (_each, i) => `${VERBS[i]}${nameOf(100 + at * METHODS + i)}`),
}));

const document = (title: string, body: string) =>
  Buffer.from(`<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`);
const textOf = (n: number) => `<p>${ownText(n)}</p><p>${ownText(n + 5_000)}</p>`;
const rowsOf = <T>(items: readonly T[], row: (item: T) => string) => items.map(row).join('\n');

// As Javadoc writes it.
const packageOf = (folder: string) => `com.lumo.${folder}`;
const place = (folder: string) => `com/lumo/${folder}`;
const link = ({ folder, name }: Class) =>
  `<a href="/${place(folder)}/${name}.html" title="class in ${packageOf(folder)}">${name}</a>`;
const page = (title: string, heading: string, main: string, above = '') =>
  document(
    `${title} (Lumo 3.2 API)`,
    `<header><nav><ul><li><a href="/index.html">Overview</a></li><li>Package</li><li><a href="/index-all.html">Index</a></li></ul><div>Lumo 3.2 API</div></nav></header><main role="main"><div class="header">${above}<h1 title="${heading}" class="title">${heading}</h1></div>${main}</main>`,
  );
const methodLink = (own: Class, method: string) =>
  `<a href="/${place(own.folder)}/${own.name}.html#${method}(int)" class="member-name-link">${method}</a>`;

type Pages = readonly (readonly [path: string, body: Uint8Array])[];

/** A class, its uses, and its listing. */
function javadocPagesOf(own: Class): Pages {
  const { at, name, folder, methods } = own;
  const others = classes.filter((other) => other.at % 3 === at % 3 && other !== own);
  return [
    [
      `${place(folder)}/${name}.html`,
      page(
        name,
        `Class ${name}`,
        `<section class="class-description"><div class="type-signature">public class ${name} extends Object</div><div class="block">${textOf(at)}</div></section><section class="method-summary"><h2>Method Summary</h2>${rowsOf(methods, (method) => `<div><code>void</code></div><div><code>${methodLink(own, method)}(int count)</code></div><div class="block">${ownText(at).split('.')[0]}.</div>`)}</section><section class="method-details"><h2>Method Details</h2>${rowsOf(methods, (method) => `<section class="detail" id="${method}(int)"><h3>${method}</h3><div class="member-signature">public void <span class="element-name">${method}</span>(int count)</div><div class="block">${ownText(at + method.length * 50)}</div></section>`)}</section>`,
        `<div class="sub-title"><span class="package-label-in-type">Package</span>&nbsp;<a href="package-summary.html">${packageOf(folder)}</a></div>`,
      ),
    ],
    [
      `${place(folder)}/class-use/${name}.html`,
      page(
        `Uses of Class ${packageOf(folder)}.${name}`,
        `Uses of Class<br>${packageOf(folder)}.${name}`,
        `<p>Packages that use ${link(own)}</p>${rowsOf(others, (other) => `<p>Methods in ${packageOf(other.folder)} with parameters of type ${link(own)}: ${other.name}.${methodLink(other, other.methods[0] ?? '')}(${name} ${name.toLowerCase()})</p>`)}`,
      ),
    ],
    [
      `src-html/${place(folder)}/${name}.html`,
      document(
        'Source code',
        `<main role="main"><div class="source-container"><pre>package ${packageOf(folder)};\n${rowsOf(others, (other) => `import ${packageOf(other.folder)}.${other.name};`)}\npublic class ${name} {\n${rowsOf(methods, (method) => `  /** ${ownText(at).split('.')[0]} */\n  public void ${method}(int count) { ${name}.${method}(count); }`)}\n}</pre></div></main>`,
      ),
    ],
  ];
}

/** The summary of a package, its uses, and its tree. */
function javadocPackage(folder: string, at: number): Pages {
  const own = classes.filter((one) => one.folder === folder);
  return [
    [
      `${place(folder)}/package-summary.html`,
      page(
        packageOf(folder),
        `Package ${packageOf(folder)}`,
        `<div class="package-signature">package ${packageOf(folder)}</div><section class="package-description">${textOf(800 + at)}</section><div class="caption">Classes</div>${rowsOf(own, (one) => `<div>${link(one)}</div><div class="block">${ownText(one.at).split('.')[0]}.</div>`)}`,
      ),
    ],
    [
      `${place(folder)}/package-use.html`,
      page(
        `Uses of Package ${packageOf(folder)}`,
        `Uses of Package<br>${packageOf(folder)}`,
        `<p>Packages that use <a href="/${place(folder)}/package-summary.html">${packageOf(folder)}</a></p>${rowsOf(own, (one) => `<p>Classes in ${packageOf(folder)} used by ${packageOf(folder)}: ${link(one)}</p>`)}`,
      ),
    ],
    [
      `${place(folder)}/package-tree.html`,
      page(
        `${packageOf(folder)} Class Hierarchy`,
        `Hierarchy For Package ${packageOf(folder)}`,
        `<h2>Class Hierarchy</h2><ul>${rowsOf(own, (one) => `<li>${packageOf(folder)}.${link(one)}</li>`)}</ul>`,
      ),
    ],
  ];
}

/** Beside each class a page of its uses and its listing; for each package a summary, its uses and a tree. */
export function javadocSite(): ReferenceSite {
  const pages = new Map([...classes.flatMap(javadocPagesOf), ...FOLDERS.flatMap(javadocPackage)]);
  const all = rowsOf(
    classes,
    (own) =>
      `<dt>${link(own)} - Class in <a href="/${place(own.folder)}/package-summary.html">${packageOf(own.folder)}</a></dt>${rowsOf(own.methods, (method) => `<dt>${methodLink(own, method)} - Method in class ${packageOf(own.folder)}.${link(own)}</dt>`)}`,
  );
  pages.set('index-all.html', page('Index', 'Index', `<dl>${all}</dl>`));
  const pageOf = ({ folder, name }: Class) => `${place(folder)}/${name}.html`;
  return {
    pages,
    names: {
      packages: FOLDERS.map((folder) => ({ name: packageOf(folder), page: `${place(folder)}/package-summary.html` })),
      types: classes.map((own) => ({ name: own.name, page: pageOf(own) })),
      'types with their package': classes.map((own) => ({
        name: `${packageOf(own.folder)}.${own.name}`,
        page: pageOf(own),
      })),
      methods: classes.flatMap((own) => own.methods.map((name) => ({ name, page: pageOf(own) }))),
      'methods with their type': classes.flatMap((own) =>
        own.methods.map((name) => ({ name: `${own.name}.${name}`, page: pageOf(own) })),
      ),
    },
  };
}

/** Beside each class a list of its members, the header that it is in, and its listing; indexes of functions and values. */
export function doxygenSite(): ReferenceSite {
  const place = ({ name }: Class) => `classlumo_1_1${name}.html`;
  const anchorOf = (text: string) => `a${Buffer.from(text.padEnd(16, '-')).toString('hex').slice(0, 32)}`;
  const valuesOf = ({ name }: Class) => ['FAST', 'SLOW', 'STILL'].map((speed) => `LUMO_${name.toUpperCase()}_${speed}`);
  const page = (title: string, contents: string) =>
    document(
      `Lumo: ${title}`,
      `<div id="top"><div id="projectname">Lumo <span id="projectnumber">3.2</span></div><ul class="tablist"><li><a href="annotated.html">Classes</a></li><li><a href="functions.html">Functions</a></li></ul></div><div class="header"><div class="headertitle"><div class="title">${title}</div></div></div><div class="contents">${contents}</div><hr class="footer"/><address class="footer">Generated by doxygen</address>`,
    );
  const memberLink = (own: Class, member: string) =>
    `<a class="el" href="${place(own)}#${anchorOf(member)}">${member}</a>`;
  const member = (name: string, proto: string, doc: string) =>
    `<a id="${anchorOf(name)}" name="${anchorOf(name)}"></a><h2 class="memtitle"><span class="permalink"><a href="#${anchorOf(name)}">&#9670;&#160;</a></span>${name}</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">${proto}</td></tr></table></div><div class="memdoc">${doc}</div></div>`;
  const pages = new Map<string, Uint8Array>();
  for (const own of classes) {
    const { at, name, methods } = own;
    const values = valuesOf(own);
    pages.set(
      place(own),
      page(
        `lumo::${name} Class Reference`,
        `<p>${ownText(at).split('.')[0]}. <a href="#details">More...</a></p><h2 class="groupheader">Public Member Functions</h2><table class="memberdecls">${rowsOf(methods, (method) => `<tr><td class="memItemLeft">void</td><td class="memItemRight">${memberLink(own, method)} (int count)</td></tr>`)}</table><a name="details" id="details"></a><h2 class="groupheader">Detailed Description</h2><div class="textblock">${textOf(at)}</div><h2 class="groupheader">Member Enumeration Documentation</h2>${member(`${name}Speed`, `enum lumo::${name}::${name}Speed`, `<table class="fieldtable"><tr><th colspan="2">Enumerator</th></tr>${rowsOf(values, (value) => `<tr><td class="fieldname"><a id="${anchorOf(value)}" name="${anchorOf(value)}"></a>${value}&#160;</td><td class="fielddoc"><p>${ownText(value.length).split('.')[0]}.</p></td></tr>`)}</table>`)}<h2 class="groupheader">Member Function Documentation</h2>${rowsOf(methods, (method) => member(`${method}()`, `void lumo::${name}::${method}`, `<p>${ownText(at + method.length * 50)}</p>`))}`,
      ),
    );
    pages.set(
      place(own).replace('.html', '-members.html'),
      page(
        'Member List',
        `<p>This is the complete list of members for <a class="el" href="${place(own)}">lumo::${name}</a>, including all inherited members.</p><table class="directory">${rowsOf([...methods, ...values], (one) => `<tr class="entry"><td class="entry">${memberLink(own, one)}</td><td class="entry"><a class="el" href="${place(own)}">lumo::${name}</a></td></tr>`)}</table>`,
      ),
    );
    pages.set(
      `${name}_8hpp.html`,
      page(
        `src/${name}.hpp File Reference`,
        `<p><a href="${name}_8hpp_source.html">Go to the source code of this file.</a></p><table class="memberdecls"><tr><td>class</td><td><a class="el" href="${place(own)}">lumo::${name}</a></td></tr></table>`,
      ),
    );
    pages.set(
      `${name}_8hpp_source.html`,
      page(
        `${name}.hpp`,
        `<div class="fragment"><pre>namespace lumo {\nclass <a href="${place(own)}">${name}</a> {\n  enum ${name}Speed { ${values.join(', ')} };\n${rowsOf(methods, (method) => `  void ${memberLink(own, method)}(int count); // ${wordOf(at)}`)}\n};\n}</pre></div>`,
      ),
    );
  }
  const listed = (title: string, membersOf: (own: Class) => readonly string[]) =>
    page(
      title,
      `<ul>${rowsOf(classes, (own) => rowsOf(membersOf(own), (one) => `<li>${one} : <a class="el" href="${place(own)}#${anchorOf(one)}">lumo::${own.name}</a></li>`))}</ul>`,
    );
  pages.set(
    'functions.html',
    listed('Class Members', ({ methods }) => methods.map((name) => `${name}()`)),
  );
  pages.set('functions_eval.html', listed('Class Members - Enumerator', valuesOf));
  pages.set(
    'annotated.html',
    page(
      'Class List',
      `<table class="directory">${rowsOf(classes, (own) => `<tr><td class="entry"><a class="el" href="${place(own)}">${own.name}</a></td></tr>`)}</table>`,
    ),
  );
  return {
    pages,
    names: {
      classes: classes.map((own) => ({ name: `lumo::${own.name}`, page: place(own) })),
      functions: classes.flatMap((own) => own.methods.map((name) => ({ name, page: place(own) }))),
      'functions of their class': classes.flatMap((own) =>
        own.methods.map((name) => ({ name: `${own.name}::${name}()`, page: place(own) })),
      ),
      values: classes.flatMap((own) => valuesOf(own).map((name) => ({ name, page: place(own) }))),
    },
  };
}

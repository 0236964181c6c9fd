/** What a bundler makes of a style sheet that is asked for as text. */
declare module '*.css?inline' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: so it comes.
  export default text;
}

/** Styles that a page brings along: Vite loads them with its chunk. */
declare module '*.css';

import { z } from 'zod';
import { compileOneSelector } from '../../extract/html/selectors.ts';
import { compileRule } from './scope.ts';

const MAX_SELECTOR_CHARS = 1_000;

/** A text that `check` accepts by not throwing; its error says why not. */
export function textThat(fault: string, check: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      check(text);
    } catch (error) {
      const why = error instanceof Error ? `: ${error.message}` : '';
      context.addIssue({ code: 'custom', message: `${fault}${why}` });
    }
  });
}

export const selector = textThat('is no CSS selector', compileOneSelector).max(MAX_SELECTOR_CHARS);
export const urlRule = textThat('is no rule for URLs', compileRule).min(1);

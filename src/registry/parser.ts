import { compileFilter, compileParsed, compileText } from '#commands/query/compile.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { findView } from '#commands/query/views.ts';
import { countMatching } from '#commands/run/count.ts';

/** The filter language. It is a separate chunk, because most first screens show a list without a filter. */
export const parser = { compileFilter, compileParsed, compileText, countMatching, parseFilter, findView } as const;

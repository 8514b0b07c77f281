import ts from 'typescript-6';
import { expect, test } from 'vitest';

import { sources } from './sources.ts';

// Conventions that the linter has no rule for.

const CODE = sources.filter(({ path }) => /\.tsx?$/.test(path));

test('finds the sources', () => {
  expect(CODE.length).toBeGreaterThan(500);
});

/** True for a number, string, or regular expression literal, or an expression of such literals. */
function isPlain(value: ts.Expression): boolean {
  if (ts.isBinaryExpression(value)) return isPlain(value.left) && isPlain(value.right);
  if (ts.isPrefixUnaryExpression(value)) return isPlain(value.operand);
  if (ts.isAsExpression(value) || ts.isParenthesizedExpression(value)) return isPlain(value.expression);
  return ts.isNumericLiteral(value) || ts.isStringLiteralLike(value) || ts.isRegularExpressionLiteral(value);
}

test('names module constants in capitals', () => {
  const misnamed = CODE.flatMap(({ path, text }) => {
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const declarations = statements.flatMap((statement) =>
      ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const
        ? statement.declarationList.declarations
        : [],
    );
    return declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && isPlain(initializer) && !/^[A-Z][A-Z0-9_]*$/.test(name.text)
        ? [`${path} ${name.text}`]
        : [],
    );
  });
  expect(misnamed).toEqual([]);
});

test('wraps comments at 120 characters', () => {
  const tooLong = CODE.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (line.length > 120 && /^\s*(\*|\/\/|\/\*)/.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(tooLong).toEqual([]);
});

test('separates the tags of a doc comment from its text', () => {
  const joined = CODE.flatMap(({ path, text }) =>
    [...text.matchAll(/\/\*\*(?:\n\s*\* (?!@).*)+\n\s*\* @\w+/g)].map(
      ({ index, 0: comment }) => `${path}:${text.slice(0, index + comment.length).split('\n').length}`,
    ),
  );
  expect(joined).toEqual([]);
});

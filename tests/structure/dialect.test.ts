import ts from 'typescript-6';
import { expect, it } from 'vitest';

import { sources } from './sources.ts';

// One way to write what the linter has no rule for.

const CODE = sources.filter(({ path }) => /\.tsx?$/.test(path));

it('finds the sources', () => {
  expect(CODE.length).toBeGreaterThan(500);
});

/** A number, a text or a regular expression, or what is made of such. */
function isPlain(value: ts.Expression): boolean {
  if (ts.isBinaryExpression(value)) return isPlain(value.left) && isPlain(value.right);
  if (ts.isPrefixUnaryExpression(value)) return isPlain(value.operand);
  if (ts.isAsExpression(value) || ts.isParenthesizedExpression(value)) return isPlain(value.expression);
  return ts.isNumericLiteral(value) || ts.isStringLiteralLike(value) || ts.isRegularExpressionLiteral(value);
}

it('writes the constants of a module in capitals', () => {
  const others = CODE.flatMap(({ path, text }) => {
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const declared = statements.flatMap((statement) =>
      ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const
        ? statement.declarationList.declarations
        : [],
    );
    return declared.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && isPlain(initializer) && !/^[A-Z][A-Z0-9_]*$/.test(name.text)
        ? [`${path} ${name.text}`]
        : [],
    );
  });
  expect(others).toEqual([]);
});

it('wraps comments at 120 characters', () => {
  const long = CODE.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (line.length > 120 && /^\s*(\*|\/\/|\/\*)/.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

import { failureOf } from '#commands/model/errors.ts';
import { FilterError } from '#commands/query/problem.ts';
import { commandFailure } from '#src/data/failure.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';
import { Button } from '#src/ui/Button.tsx';

import { createFixes } from './fixes.ts';

interface InvalidFilterProps {
  readonly filter: string;
  readonly error: unknown;
  readonly onFilter: (text: string) => void;
}

/** True if the filter itself is invalid, or names an item that doesn't exist. */
export function isInvalidFilter(filter: string, error: unknown): boolean {
  return error instanceof FilterError || (filter !== '' && failureOf(error).code === 'not_found');
}

/** Explains an invalid filter in a URL, with suggested fixes and ways to continue. */
export function InvalidFilter({ filter, error, onFilter }: InvalidFilterProps) {
  const translate = useTranslate();
  const t = useText();
  const fixes = error instanceof FilterError ? createFixes(filter, error.problem) : [];
  return (
    <ScreenMessage
      urgent
      title={t('screen.invalidFilter')}
      actions={
        <>
          {fixes.map((fix) => (
            <Button key={fix.text} tone="primary" className="max-w-full" onClick={() => onFilter(fix.text)}>
              <span className="truncate">{fix.label}</span>
            </Button>
          ))}
          <CommandButton command="view.edit-filter" />
          <CommandButton command="view.clear-filter" />
        </>
      }
    >
      {translate(commandFailure(error))}
    </ScreenMessage>
  );
}

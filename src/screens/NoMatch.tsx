import { useQuery } from '@tanstack/react-query';

import type { ParsedFilter } from '#commands/query/parse.ts';
import { suggestValueFilters } from '#commands/query/value-filters.ts';
import { keyOf } from '#src/data/query-client.ts';
import { useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';

interface NoMatchProps {
  readonly organization: string;
  readonly filter: ParsedFilter;
}

/** Shown if nothing matches a filter. If a search word names a value, suggests to filter by that value. */
export function NoMatch({ organization, filter }: NoMatchProps) {
  const t = useText();
  const { data: suggestions = [] } = useQuery({
    queryKey: keyOf(organization, filter.entity.name, 'value-filters', filter.text),
    queryFn: ({ signal }) => suggestValueFilters(filter, contextNow({ signal })),
  });
  return (
    <ScreenMessage
      title={t('screen.noMatch')}
      actions={
        <>
          <CommandButton command="view.clear-filter" />
          <CommandButton command="view.edit-filter" />
          {/* The suggestions can take seconds to load, and must not move the buttons above them. */}
          <div className="relative w-full">
            {suggestions.length > 0 && (
              <div className="absolute inset-x-0 top-2 flex flex-wrap items-center justify-center gap-2 pb-8">
                <p className="w-full text-ink-2">{t('screen.noMatchNear')}</p>
                {suggestions.map((suggestion) => (
                  <CommandButton
                    key={suggestion}
                    command={`${filter.entity.name}.list`}
                    args={{ filter: suggestion }}
                    tone="primary"
                    showKeys={false}
                    className="max-w-full"
                  >
                    <span className="truncate">{suggestion}</span>
                  </CommandButton>
                ))}
              </div>
            )}
          </div>
        </>
      }
    >
      {t('screen.noMatchHint')}
    </ScreenMessage>
  );
}

import { useId } from 'react';

import type { LogEntry } from '#commands/model/log-entry.ts';
import type { Message } from '#commands/text/message.ts';
import { useMoment, useText, useTranslate } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { CommandLink } from '#src/run/CommandLink.tsx';
import { cx } from '#src/ui/cx.ts';
import { RelativeTime } from '#src/ui/RelativeTime.tsx';

import { Thumbnail } from '../Thumbnail.tsx';
import { splitLinks } from './links.ts';

interface EntryProps {
  readonly entry: LogEntry;
  /** The heading of the group that starts here. */
  readonly heading: string | undefined;
  /** The heading of the section that starts here. */
  readonly section: string | undefined;
  /** The organization whose session the files are fetched in. */
  readonly organization: string;
  readonly isEditable: boolean;
  /** True if the earlier texts are visible. */
  readonly isOpen: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** An entry of a log, below the headings that start with it. */
export function Entry({ entry, heading, section, organization, isEditable, isOpen, onOpenChange }: EntryProps) {
  const translate = useTranslate();
  const t = useText();
  const moment = useMoment();
  const format = (text: string | Message): string => (typeof text === 'object' ? translate(text) : text);
  const { time, edit } = entry;
  const name = translate(entry.name);
  const author = format(entry.author);
  const isGrouped = entry.group !== undefined;
  return (
    <>
      {heading !== undefined && (
        <h3 dir="auto" className="mt-2 px-4 pb-0.5 font-semibold break-words text-ink-1">
          {heading}
        </h3>
      )}
      <div className={cx('mx-4', isGrouped && 'border-l-2 border-line pl-3')}>
        {section !== undefined && (
          <h4 dir="auto" className="pt-1.5 pb-1 text-label font-medium break-words text-ink-2">
            {section}
          </h4>
        )}
        <div
          role="group"
          data-row-head=""
          // The arrow keys move between entries, as between the rows of other tabs.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={`${name}, ${author}`}
          // The focus ring keeps a distance from the text, which stays aligned with the headings.
          className={cx('-mx-1.5 rounded-field px-1.5 py-1.5', !isGrouped && 'mt-0.5')}
        >
          <header className="flex items-baseline gap-x-2">
            <span className="min-w-0 flex-1 break-words">
              <strong className="font-medium text-ink-1">{author}</strong>{' '}
              <span className="text-label whitespace-nowrap text-ink-3">
                {moment(time)} · <RelativeTime time={time} isInText />
              </span>
            </span>
            {isEditable && (
              <CommandButton
                command={edit.id}
                args={edit.args}
                tone="quiet"
                showKeys={false}
                aria-label={t('panel.editDetail', { title: name })}
                className="-mr-1 h-5 shrink-0 px-1"
              >
                {t('panel.edit')}
              </CommandButton>
            )}
          </header>
          {entry.text !== '' && <Body text={entry.text} />}
          {entry.files.length > 0 && (
            <ul aria-label={t('panel.logFiles')} className="flex flex-wrap gap-x-3 gap-y-1.5 py-1">
              {entry.files.map(({ name: fileName, image, open }, index) => (
                <li key={index} className="flex max-w-full min-w-0 items-center gap-2 text-label">
                  <Thumbnail organization={organization} link={image} />
                  {open ? (
                    <CommandLink invocation={open} className="min-w-0 break-words">
                      {fileName}
                    </CommandLink>
                  ) : (
                    <span className="min-w-0 break-words">{fileName}</span>
                  )}
                </li>
              ))}
            </ul>
          )}
          {entry.parts.map((part) => (
            <dl key={part.label.key} className="flex gap-2 pt-0.5 text-label">
              <dt className="shrink-0 text-ink-3">{translate(part.label)}</dt>
              <dd className="min-w-0 break-words whitespace-pre-line text-ink-2">{format(part.text)}</dd>
            </dl>
          ))}
          {entry.editedAt !== undefined && (
            <Earlier
              title={[
                t('panel.edited', { time: moment(entry.editedAt) }),
                t('panel.earlier', { count: entry.earlierTexts.length }),
              ].join(' · ')}
              texts={entry.earlierTexts}
              isOpen={isOpen}
              onOpenChange={onOpenChange}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** Text with its line breaks. Only http and https URLs are links. */
function Body({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <p dir="auto" className={cx('break-words whitespace-pre-wrap', className)}>
      {splitLinks(text).map((part, index) =>
        part.url === undefined ? (
          part.text
        ) : (
          <a
            key={index}
            href={part.url}
            target="_blank"
            rel="noreferrer"
            className="break-all text-accent underline underline-offset-2"
          >
            {part.text}
          </a>
        ),
      )}
    </p>
  );
}

interface EarlierProps extends Pick<EntryProps, 'isOpen' | 'onOpenChange'> {
  readonly title: string;
  /** Oldest first. */
  readonly texts: readonly string[];
}

/** The texts that an entry had before, which are shown on demand. */
function Earlier({ title, texts, isOpen, onOpenChange }: EarlierProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onOpenChange(!isOpen)}
        className="text-label text-ink-3 underline decoration-dotted underline-offset-2 hover:text-ink-1"
      >
        {title}
      </button>
      {isOpen && (
        <ol id={id} aria-label={title} className="mt-1 flex flex-col gap-1">
          {texts.map((text, index) => (
            <li key={index} className="rounded-field bg-surface-2 px-2 py-1">
              <Body text={text} className="text-ink-2" />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

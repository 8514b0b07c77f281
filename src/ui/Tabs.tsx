import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  /** After the label, in quieter ink. */
  count?: number | string;
  content: ReactNode;
}

interface TabsProps<Id extends string> {
  tabs: readonly Tab<Id>[];
  value: Id;
  onValue: (id: Id) => void;
  /** What the tabs are tabs of, for a screen reader. */
  label: string;
  className?: string;
}

/** Tabs of a panel. Only the content of the open one is mounted. */
export function Tabs<Id extends string>({ tabs, value, onValue, label, className }: TabsProps<Id>) {
  const choose = (id: string) => {
    const tab = tabs.find((candidate) => candidate.id === id);
    if (tab) onValue(tab.id);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className={cx('flex min-h-0 flex-col', className)}>
      <Radix.List aria-label={label} className="flex h-tabs shrink-0 items-stretch gap-4 border-b border-line px-4">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent whitespace-nowrap text-ink-2 hover:text-ink-1 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink-1"
          >
            {tab.label}
            {tab.count !== undefined && <span className="ml-1.5 text-ink-3">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="min-h-0 flex-1 overflow-y-auto">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

import { Building2, Cpu, KeyRound, RadioTower, Tag, Webhook, type LucideIcon } from 'lucide-react';

/** The icons that screens name (`Screen.icon`), by lucide's own names. Only these are bundled. */
const icons: Readonly<Record<string, LucideIcon>> = {
  'building-2': Building2,
  'key-round': KeyRound,
  'radio-tower': RadioTower,
  tag: Tag,
  webhook: Webhook,
};

export function iconOf(name: string): LucideIcon {
  return icons[name] ?? Cpu;
}

import { readFileSync } from 'node:fs';

/**
 * The time that the host of a virtual machine has taken from each processor since it started, in units of 10 ms; empty
 * if the system does not provide it.
 */
export type Stolen = readonly number[];

/**
 * The position of the stolen time in a line of `/proc/stat`: after user, nice, system, idle, iowait, irq and softirq.
 */
const STEAL = 8;
const TICK_MS = 10;

export function stolenNow(): Stolen {
  try {
    return stolenIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // Only Linux has it.
    return [];
  }
}

export function stolenIn(stat: string): Stolen {
  return [...stat.matchAll(/^cpu\d+ .*$/gm)].map(([line]) => Number(line.split(/ +/)[STEAL] ?? 0));
}

/**
 * Milliseconds that a call may have waited for the host: those of the processor that lost most, since a call runs on
 * one at a time.
 */
export function lostBetween(before: Stolen, after: Stolen): number {
  return TICK_MS * Math.max(0, ...after.map((ticks, index) => ticks - (before[index] ?? ticks)));
}

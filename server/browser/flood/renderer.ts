import { commandOf, groupOfProcess, processStartTime } from '../process-id';

/**
 * One renderer of a Chrome that we started, which no other process can be taken for: it is signalled only while its pid
 * still names the process that was found (Linux).
 */
export class Renderer {
  private constructor(
    readonly pid: number,
    private readonly started: string,
  ) {}

  /**
   * Undefined when the pid does not name a renderer in the process group of that Chrome, so that nothing else can ever
   * be stopped.
   */
  static find(pid: number, chromePid: number): Renderer | undefined {
    const started = processStartTime(pid);
    const group = groupOfProcess(pid);
    if (started === undefined || group === undefined || group !== groupOfProcess(chromePid)) return undefined;
    return commandOf(pid).split(/[\0 ]/).includes('--type=renderer') ? new Renderer(pid, started) : undefined;
  }

  get there(): boolean {
    return processStartTime(this.pid) === this.started;
  }

  /** False when it has ended. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): boolean {
    try {
      return this.there && process.kill(this.pid, name);
    } catch {
      // It ended in this very moment.
      return false;
    }
  }
}

import { commandOf, groupOfProcess, processStartTime } from '../process-id';

/**
 * One renderer of a Chrome that we started. It is signalled only while its pid still names the process that was found,
 * so that no other process is ever hit (Linux).
 */
export class Renderer {
  private constructor(
    readonly pid: number,
    private readonly started: string,
  ) {}

  /**
   * Undefined unless the pid is a renderer in the process group of that Chrome, so that nothing else can be stopped.
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

  /** Sends the signal; false when the process has ended. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): boolean {
    try {
      return this.there && process.kill(this.pid, name);
    } catch {
      // The process ended between the check and the signal.
      return false;
    }
  }
}

/** A recording of the microphone, 30 seconds at most. The microphone is open while it records, and at no other time. */
import { VOICE_MAX_MS } from "@lambda/contract/limits";
import { loudness, peaksOf } from "./peaks.ts";

export interface Recorded {
  readonly blob: Blob;
  readonly durationMs: number;
  readonly peaks: readonly number[];
}

export type RecordingFault = "refused" | "missing" | "unable" | "silent";

/** AAC in MP4 plays everywhere, and so comes first; Opus in WebM is what other browsers write, and iOS plays it from version 17.4 on. */
const TYPES = ["audio/mp4;codecs=mp4a.40.2", "audio/webm;codecs=opus", "audio/mp4"];
/** Speech at this rate is clear, and 30 seconds of it are 120 kB. */
const BITS_PER_SECOND = 32_000;
const LEVEL_EVERY_MS = 50;

export class VoiceRecorder {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #context = new AudioContext();
  readonly #levels: number[] = [];
  readonly #parts: Blob[] = [];
  readonly #timers: number[] = [];
  readonly #done: Promise<Recorded>;
  #began = 0;

  /** Asks for the microphone, which may show the browser's own question. Rejects with a RecordingFault. */
  static async start(onLevels: (levels: readonly number[]) => void): Promise<VoiceRecorder> {
    const type =
      typeof MediaRecorder === "undefined" ? undefined : TYPES.find((one) => MediaRecorder.isTypeSupported(one));
    if (!type || !navigator.mediaDevices) throw "unable" satisfies RecordingFault;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
      const isMissing = error instanceof DOMException && error.name === "NotFoundError";
      throw (isMissing ? "missing" : "refused") satisfies RecordingFault;
    });
    return new VoiceRecorder(stream, type, onLevels);
  }

  private constructor(stream: MediaStream, mimeType: string, onLevels: (levels: readonly number[]) => void) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
    this.#recorder.ondataavailable = ({ data }) => this.#parts.push(data);
    this.#done = new Promise((resolve, reject) => {
      this.#recorder.onstop = () => {
        const durationMs = Math.min(VOICE_MAX_MS, Math.round(performance.now() - this.#began));
        const blob = new Blob(this.#parts, { type: mimeType.split(";")[0] ?? "" });
        this.#release();
        if (blob.size === 0 || this.#levels.length === 0) reject("silent" satisfies RecordingFault);
        else resolve({ blob, durationMs, peaks: peaksOf(this.#levels) });
      };
    });
    this.#done.catch(() => undefined);
    this.#listen(onLevels);
    this.#recorder.start();
    this.#began = performance.now();
    this.#timers.push(window.setTimeout(() => void this.stop(), VOICE_MAX_MS));
  }

  /** Resolves when it ended: stopped, or at its longest. */
  get recorded(): Promise<Recorded> {
    return this.#done;
  }

  stop(): Promise<Recorded> {
    if (this.#recorder.state !== "inactive") this.#recorder.stop();
    return this.#done;
  }

  /** Nothing of it is kept. */
  cancel(): void {
    this.#levels.length = 0;
    void this.stop().catch(() => undefined);
  }

  #listen(onLevels: (levels: readonly number[]) => void): void {
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(this.#stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const listen = () => {
      analyser.getFloatTimeDomainData(samples);
      this.#levels.push(loudness(samples));
      onLevels([...this.#levels]);
    };
    this.#timers.push(window.setInterval(listen, LEVEL_EVERY_MS));
  }

  #release(): void {
    for (const timer of this.#timers) window.clearInterval(timer);
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close().catch(() => undefined);
  }
}

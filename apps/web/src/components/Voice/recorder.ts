/** Records the microphone for at most 30 seconds. The microphone is open only while recording. */
import { VOICE_MAX_MS, VOICE_PEAKS_MAX } from "@lambda/contract/limits";
import { MEDIA_WAIT_MS, PROMPT_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

export interface Recording {
  readonly blob: Blob;
  readonly durationMs: number;
  readonly peaks: readonly number[];
}

export type RecordingError = "refused" | "missing" | "busy" | "unable" | "silent";

/** AAC in MP4 comes first because it plays everywhere. Some browsers only record Opus in WebM, which iOS plays from version 17.4 on. */
const RECORDING_TYPES = ["audio/mp4;codecs=mp4a.40.2", "audio/webm;codecs=opus", "audio/mp4"];
/** Clear enough for speech; 30 seconds take 120 kB. */
const BITS_PER_SECOND = 32_000;
const LEVEL_INTERVAL_MS = 50;

/** What is wrong with the microphone itself, by the name of the browser's error. */
const DEVICE_ERRORS: Readonly<Record<string, RecordingError>> = {
  NotFoundError: "missing",
  // A call or another application has it.
  NotReadableError: "busy",
  AbortError: "busy",
};

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

export class VoiceRecorder {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #meter: Meter;
  readonly #levels: number[] = [];
  readonly #parts: Blob[] = [];
  readonly #timers: number[] = [];
  readonly #done: Promise<Recording>;
  #fail: (error: unknown) => void = () => undefined;
  #startedAt = 0;

  /** Requests the microphone, for which the browser may show a prompt. Rejects with a RecordingError. */
  static async start(onLevels: (levels: readonly number[]) => void): Promise<VoiceRecorder> {
    const type =
      typeof MediaRecorder === "undefined"
        ? undefined
        : RECORDING_TYPES.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    if (!type || !navigator.mediaDevices) throw "unable" satisfies RecordingError;
    const stream = await withDeadline(PROMPT_WAIT_MS, () => navigator.mediaDevices.getUserMedia({ audio: true }), {
      onLate: stopTracks,
    }).catch((error: unknown) => {
      throw (error instanceof DOMException && DEVICE_ERRORS[error.name]) || ("refused" satisfies RecordingError);
    });
    try {
      return new VoiceRecorder(stream, type, onLevels);
    } catch {
      stopTracks(stream);
      throw "unable" satisfies RecordingError;
    }
  }

  private constructor(stream: MediaStream, mimeType: string, onLevels: (levels: readonly number[]) => void) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
    this.#recorder.ondataavailable = ({ data }) => this.#parts.push(data);
    this.#done = new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#recorder.onstop = () => {
        const durationMs = Math.min(VOICE_MAX_MS, Math.round(performance.now() - this.#startedAt));
        const blob = new Blob(this.#parts, { type: mimeType.split(";")[0] ?? "" });
        this.#release();
        if (blob.size === 0 || this.#levels.length === 0) reject("silent" satisfies RecordingError);
        else resolve({ blob, durationMs, peaks: computePeaks(this.#levels) });
      };
    });
    this.#done.catch(() => undefined);
    this.#meter = createMeter(stream);
    const measure = () => {
      this.#levels.push(this.#meter.read());
      onLevels([...this.#levels]);
    };
    this.#timers.push(window.setInterval(measure, LEVEL_INTERVAL_MS));
    // A microphone that was unplugged: not every browser ends the recording then.
    for (const track of stream.getTracks()) track.onended = () => void this.stop().catch(() => undefined);
    this.#recorder.start();
    this.#startedAt = performance.now();
    this.#timers.push(window.setTimeout(() => void this.stop().catch(() => undefined), VOICE_MAX_MS));
  }

  /** Resolves when the recording was stopped or has reached its maximum length. */
  get recorded(): Promise<Recording> {
    return this.#done;
  }

  stop(): Promise<Recording> {
    if (this.#recorder.state !== "inactive") this.#recorder.stop();
    return withDeadline(MEDIA_WAIT_MS, () => this.#done).catch((error: unknown) => {
      this.#release();
      this.#fail(error);
      throw error;
    });
  }

  cancel(): void {
    this.#levels.length = 0;
    void this.stop().catch(() => undefined);
  }

  #release(): void {
    for (const timer of this.#timers) window.clearInterval(timer);
    stopTracks(this.#stream);
    this.#meter.close();
  }
}

interface Meter {
  /** 0 to 100. */
  readonly read: () => number;
  readonly close: () => void;
}

/** Shown where the browser cannot measure. */
const UNKNOWN_LEVEL = 30;

/** Firefox refuses to measure a microphone of another sample rate than that of its output; the recording does without. */
function createMeter(stream: MediaStream): Meter {
  const context = new AudioContext();
  const close = () => void context.close().catch(() => undefined);
  try {
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const read = () => {
      analyser.getFloatTimeDomainData(samples);
      return loudness(samples);
    };
    return { read, close };
  } catch {
    return { read: () => UNKNOWN_LEVEL, close };
  }
}

/** The loudness of samples, 0 to 100: the square root of their RMS, because hearing is not linear. */
function loudness(samples: Float32Array): number {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1);
  return Math.min(100, Math.round(Math.sqrt(Math.sqrt(meanSquare)) * 130));
}

function computePeaks(levels: readonly number[]): number[] {
  const count = Math.min(VOICE_PEAKS_MAX, levels.length);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * levels.length) / count);
    const end = Math.ceil(((index + 1) * levels.length) / count);
    return Math.max(0, ...levels.slice(start, end));
  });
}

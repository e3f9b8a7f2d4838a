import { CHECK_STILLS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { drawJpeg } from "../../../components/PictureUpload/draw-jpeg.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { PROMPT_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { useWords } from "../../../format/words.ts";
import { openLayer } from "../../../routing/close-on-back.ts";
import { useSession } from "../../../session/session.ts";
import { usePersonCheckCopy } from "./checked-copy.ts";
import css from "./person-check.module.css";

/** The minute of the pose: the camera, its clock, and three stills, which are sent at once. Whoever leaves it sends nothing more. */
export function PoseCamera({ onEnd }: { onEnd: () => void }) {
  const copy = usePersonCheckCopy();
  const { retry, cancel } = useWords();
  const { profileId } = useSession();
  const { data: check } = trpc.personCheck.mine.useQuery();
  const submit = trpc.personCheck.submit.useMutation({ onSuccess: onEnd });
  const [stream, setStream] = useState<MediaStream>();
  const [problem, setProblem] = useState<string>();
  const [stills, setStills] = useState<readonly Blob[]>([]);
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const [progress, setProgress] = useState<readonly number[]>([]);
  const isTaking = useRef(false);
  const left = useRef<AbortController>(null);
  const video = useRef<HTMLVideoElement>(null);
  const secondsLeft = useSecondsLeft(check?.msLeft ?? 0);
  const isLate = secondsLeft === 0 && !isSending;
  const isOver = problem !== undefined || isLate;

  const leave = useEffectEvent(onEnd);
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    const close = openLayer(() => leave());
    return () => {
      close();
      controller.abort();
    };
  }, []);

  useEffect(() => {
    let isClosed = false;
    let opened: MediaStream | undefined;
    openCamera().then(
      (camera) => {
        opened = camera;
        if (isClosed) return closeCamera(camera);
        setStream(camera);
        // Taken by a call, or unplugged: from then on its picture would stand still.
        for (const track of camera.getTracks()) track.onended = () => setProblem(copy.noCamera);
      },
      () => setProblem(copy.noCamera),
    );
    return () => {
      isClosed = true;
      if (opened) closeCamera(opened);
    };
  }, [copy.noCamera]);
  useEffect(() => {
    if (video.current && stream) video.current.srcObject = stream;
    if (isOver && stream) closeCamera(stream);
  }, [stream, isOver]);

  const send = async (taken: readonly Blob[]) => {
    setSending(true);
    if (stream) closeCamera(stream);
    const signal = left.current?.signal;
    const upload = (file: Blob, index: number) =>
      sendPicture(
        {
          ...{ file, name: `still-${index}.jpg`, profileId, audience: "once", clientId: crypto.randomUUID() },
          ...(signal && { signal }),
        },
        (fraction) => setProgress((before) => taken.map((_, at) => (at === index ? fraction : (before[at] ?? 0)))),
      );
    try {
      const pictures = await Promise.all(taken.map(upload));
      if (signal?.aborted) return;
      await submit.mutateAsync({ pictures: pictures.map(({ id }) => id) });
    } catch (error) {
      setProblem(errorText(error) || copy.failed);
    }
  };
  const take = async () => {
    // A second press before the first still is there.
    if (!video.current || isTaking.current) return;
    isTaking.current = true;
    try {
      const taken = [...stills, await takeStill(video.current)];
      setStills(taken);
      if (taken.length === CHECK_STILLS) await send(taken);
    } catch {
      setProblem(copy.failed);
    } finally {
      isTaking.current = false;
    }
  };

  const pose = check?.pose;
  if (isOver || !pose)
    return (
      <div className={`stack gap-3 centered ${css.page}`}>
        <p role="alert">{problem ?? copy.late}</p>
        <Button variant="primary" label={retry} onClick={onEnd} />
      </div>
    );
  return (
    <div className={`stack gap-3 centered ${css.page}`}>
      <ol className="stack gap-2 type-lead">
        {[copy.write(pose.number), copy.hold(pose), copy.turn(pose)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <div className={`radius-2 relative clip ${css.stage}`}>
        <video
          ref={video}
          aria-label={copy.camera}
          autoPlay
          muted
          playsInline
          // Before that there is nothing to take.
          onLoadedData={() => setReady(true)}
        />
        <span className={`radius-round bold ${css.clock}`} role="timer" aria-label={copy.left}>
          {copy.seconds(secondsLeft)}
        </span>
      </div>
      <p className={`muted text-center ${css.stills}`} role="status">
        {isSending
          ? copy.sending(Math.floor((100 * sum(progress)) / CHECK_STILLS))
          : stills.map((_, index) => copy.still(index + 1)).join(", ")}
      </p>
      <Button
        variant="primary"
        icon="camera"
        full
        busy={isSending || !isReady}
        label={copy.take(Math.min(CHECK_STILLS, stills.length + 1))}
        onClick={() => void take()}
      />
      <Button variant="quiet" label={cancel} onClick={onEnd} />
    </div>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Counts down by this device's own clock, which need not be right; the server's decides. */
function useSecondsLeft(msLeft: number): number {
  const [end] = useState(() => performance.now() + msLeft);
  const [left, setLeft] = useState(() => Math.ceil(msLeft / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}

/** The camera of "Is it him?": live only, there is no way to choose a file. It is on while its stream is shown. */

const SIDE_MAX_PX = 1280;

function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Asks for the camera, for which the browser may show a prompt. Rejects if it is refused or absent. */
async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error("no camera");
  const video = { facingMode: "user", width: { ideal: SIDE_MAX_PX }, height: { ideal: SIDE_MAX_PX } };
  return withDeadline(PROMPT_WAIT_MS, () => navigator.mediaDevices.getUserMedia({ video }), { onLate: closeCamera });
}

/** What the camera shows now, as it sees it: not mirrored, or nobody could read the number. */
function takeStill(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth: width, videoHeight: height } = video;
  return drawJpeg({ width, height }, (context) => context.drawImage(video, 0, 0, width, height));
}

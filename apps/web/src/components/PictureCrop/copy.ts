import { defineCopyHook } from "../../format/i18n.ts";

export const useCropCopy = defineCopyHook({
  en: {
    stage: "Crop",
    stageHelp: "Drag to move, pinch or scroll to zoom. Keys: arrows move, plus and minus zoom, R rotates.",
    zoom: "Zoom",
    straighten: "Straighten",
    left: "Rotate left",
    right: "Rotate right",
    reset: "Reset",
  },
  es: {
    stage: "Recorte",
    stageHelp:
      "Arrastra para mover; pellizca o usa la rueda para acercar. Teclas: las flechas mueven, más y menos acercan y alejan, R gira.",
    zoom: "Acercar",
    straighten: "Enderezar",
    left: "Girar a la izquierda",
    right: "Girar a la derecha",
    reset: "Restablecer",
  },
});

// What the graphics card runs for each body: where it is between two frames, and the shape of its state.

/** Looks of bodies. */
export const LOOK = { dots: 0, shapes: 1, cars: 2 };

export const VERTEX = `#version 300 es
precision highp float; precision highp int;
layout(location=0) in vec2 here;      // 0..1 over the bounds, as on the wire
layout(location=1) in vec2 manner;    // heading in 256ths of a turn, state
layout(location=2) in vec2 hereBefore;
layout(location=3) in vec2 mannerBefore;
layout(location=4) in vec2 corner;    // of the square, if bodies are squares and not points
uniform vec2 spread, origin;          // bounds to clip space
uniform vec2 pixel;                   // clip space units of one pixel
uniform float mixing, radius, guestRadius;
uniform int look, robots;
uniform bool points;
uniform vec3 colours[7];              // by shape
uniform int shapeOf[8];               // by state
out vec2 square;
flat out vec2 nose;
flat out vec3 ink;
flat out int shape;
flat out float soft;
flat out float reach;
void main() {
  int state = int(manner.y + .5) & 7;
  bool guest = (points ? gl_VertexID : gl_InstanceID) >= robots;
  shape = guest ? 6 : shapeOf[state];
  bool moving = (int(manner.y + .5) & 8) != 0 || shape == 3;
  float turn = mod(manner.x - mannerBefore.x + 128., 256.) - 128.;
  float angle = (mannerBefore.x + turn * mixing) * 0.02454369;
  nose = moving ? vec2(cos(angle), sin(angle)) : vec2(0.);
  ink = colours[shape];
  float size = guest ? guestRadius : radius;
  // Dots are too small for shapes: those that want something are larger instead.
  if (look == 0 && !guest) size *= shape == 1 ? 1.7 : shape == 5 ? 1.5 : shape == 0 ? .9 : 1.15;
  soft = 1. / size;
  reach = (look == 1 && !guest) ? 1.75 : 1. + soft;
  square = corner * reach;
  vec2 middle = mix(hereBefore, here, mixing) * spread + origin;
  // The rarer state lies on top: a call for help must not vanish under those that idle.
  float depth = guest ? .9 : shape == 0 ? .8 : shape == 3 ? .6 : shape == 4 ? .5 : shape == 2 ? .4 : shape == 5 ? .3 : .2;
  gl_PointSize = 2. * reach * size;
  gl_Position = vec4(middle + square * size * pixel, depth, 1.);
}`;

export const FRAGMENT = `#version 300 es
precision highp float; precision highp int;
in vec2 square;
flat in float reach;
flat in vec2 nose;
flat in vec3 ink;
flat in int shape;
flat in float soft;
uniform int look;
uniform bool points;
uniform vec3 ground;
uniform float line;                   // half the width of a line, in radii
out vec4 colour;
vec2 at;                              // from the middle of the body, in radii
float cover(float distance) { return clamp(.5 - distance / soft, 0., 1.); }
float ring(float d, float r) { return abs(d - r) - line; }
float noseFrom(float start) {
  if (nose == vec2(0.)) return 9.;
  vec2 q = vec2(dot(at, nose), dot(at, vec2(-nose.y, nose.x)));
  return max(.51 * q.x + .86 * abs(q.y) - .84, start - q.x);
}
float crossed() { return max(abs(abs(at.x) - abs(at.y)) * .707 - max(line, .2), max(abs(at.x), abs(at.y)) - .95); }
void main() {
  at = points ? vec2(gl_PointCoord.x * 2. - 1., 1. - gl_PointCoord.y * 2.) * reach : square;
  float d = length(at), shown = 9., backed = d - .9;
  if (look == 0) { shown = shape == 5 ? crossed() : d - 1.; backed = 9.; }
  else if (look == 2) { shown = shape == 5 ? ring(d, 1. - line) : d - 1.; backed = d - 1.; }
  else if (shape == 0) shown = min(ring(d, 1. - line), max(noseFrom(.3), .95 - d));
  else if (shape == 1) shown = min(ring(d, .62), max(min(ring(d, 1.1), ring(d, 1.55)), abs(at.y) * .8 - abs(at.x) * .6));
  else if (shape == 2) shown = min(min(ring(d, 1. - line), d - .42), max(noseFrom(.3), .95 - d));
  else if (shape == 3) shown = min(d - .9, noseFrom(.3));
  else if (shape == 4) { shown = min(d - .9, max(abs(at.x) - 1.05, abs(at.y + 1.38) - .19)); }
  else if (shape == 5) { shown = crossed(); backed = 9.; }
  else { shown = ring(d, 1. - line); }
  float inked = cover(shown), alpha = max(inked, cover(backed) * .85);
  if (alpha < .02) discard;
  colour = vec4(mix(ground, ink, alpha > 0. ? inked / alpha : 0.) * alpha, alpha);
}`;

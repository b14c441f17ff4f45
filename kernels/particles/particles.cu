// One step of particles in a periodic field, one particle a thread: leapfrog, with the field between two points of the
// grid interpolated. A particle keeps the cell that it ends in, by which the program sorts them now and then.
struct Particle {
  double position; // In [0, length).
  float velocity;
  short species;
};

struct Domain {
  double length;
  int cells;
  float step;            // Of time.
  float acceleration[2]; // Charge over mass of each species.
};

__global__ void push(Particle *particles, const float *field, int *cell_of, Domain domain, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle p = particles[i];
  double scaled = p.position * (domain.cells / domain.length);
  int cell = (int)scaled;
  if (cell >= domain.cells)
    cell = 0;
  float part = (float)(scaled - cell);
  int next = cell + 1 == domain.cells ? 0 : cell + 1;
  float here = field[cell] * (1 - part) + field[next] * part;
  p.velocity += domain.step * domain.acceleration[p.species] * here;
  p.position += (double)domain.step * p.velocity;
  if (p.position < 0)
    p.position += domain.length;
  else if (p.position >= domain.length)
    p.position -= domain.length;
  particles[i] = p;
  int end = (int)(p.position * (domain.cells / domain.length));
  cell_of[i] = end >= domain.cells ? domain.cells - 1 : end;
}

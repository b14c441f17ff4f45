#warning something is odd
__global__ void warns() {}

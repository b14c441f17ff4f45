#define OWN_FACTOR 3

"""The Qt canvas: pointer and keys to tools and camera, redrawn on demand."""
